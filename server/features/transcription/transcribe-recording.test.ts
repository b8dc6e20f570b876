import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import { writeSound } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import type { FusionEvent } from './fusion/fuse.ts';
import { createResultCollector } from './result-parts.ts';
import { transcribeRecording, type TranscriptionContext } from './transcribe-recording.ts';

const SEGMENTS = Array.from({ length: 250 }, (_, index): Segment => ({
  startMs: index,
  endMs: index + 1,
  text: `第${index}句`,
  speaker: null,
  words: [],
  confidence: null,
}));

/** An engine that hears all segments in any recording. */
const recognizer = {
  async *recognize() {
    for (const segment of SEGMENTS) yield { type: 'segment-end', segment, syllables: null };
  },
  close: () => Promise.resolve(),
};

it('the result of a long recording comes in parts, and is whole and in order', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  await writeSound(path, whistle([null, 'nei5', 'hou2', null]), 'wav');
  const context = { open: () => Promise.resolve(recognizer), maxDurationMs: 60_000, fuse: null };
  const call = {
    path,
    models: recognizerModels(recognizerRef('builtin')),
    options: { language: 'cantonese', context: null, withDiarization: false },
  } as const;
  const events = await Array.fromAsync(
    transcribeRecording(call, context as unknown as TranscriptionContext, new AbortController().signal),
  );
  const sizes = events.flatMap((event) => (event.type === 'result-part' ? [event.segments.length] : []));
  expect(sizes).toEqual([100, 100, 50]);

  const collector = createResultCollector();
  for (const event of events) collector.add(event);
  expect(collector.result().segments).toEqual(SEGMENTS);
  expect(collector.result().fusion).toBeNull();
  const shown = events.flatMap((event) => (event.type === 'segment-end' ? [event.segment] : []));
  expect(shown).toEqual(SEGMENTS);
});

it('what a request says about its speakers reaches the diarizer', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  await writeSound(path, whistle([null, 'nei5', 'hou2', null]), 'wav');
  const events: unknown[] = [];
  const diarizer = {
    async *diarize(audio: AsyncIterable<unknown>, _signal: AbortSignal, hints: unknown) {
      await Array.fromAsync(audio);
      events.push(hints);
      yield { type: 'turns', turns: [] };
    },
    close: () => Promise.resolve(),
  };
  const ref = { ...recognizerRef('builtin'), ability: 'diarizer' as const, capabilities: { quality: 10 } };
  const open = ({ ability }: { ability: string }) => Promise.resolve(ability === 'diarizer' ? diarizer : recognizer);
  const hints = { speakers: { min: 2, max: 4 }, diarizationThreshold: 0.9 };
  const call = {
    path,
    models: { ...recognizerModels(recognizerRef('builtin')), diarizer: ref },
    options: { language: 'cantonese', context: null, withDiarization: true, ...hints },
  } as const;
  const context = { open, maxDurationMs: 60_000, fuse: null } as unknown as TranscriptionContext;
  await Array.fromAsync(transcribeRecording(call, context, new AbortController().signal));
  expect(events).toEqual([{ speakers: { min: 2, max: 4 }, threshold: 0.9 }]);
});

const readingsOf = ({ startMs, endMs }: Pick<Segment, 'startMs' | 'endMs'>) => [
  { startMs, endMs, alternatives: [{ reading: `reading${startMs}`, probability: 1 }] },
];

it('segments from the first one that comes without syllables on are romanized at the end', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  await writeSound(path, whistle([null, 'nei5', 'hou2', null]), 'wav');
  const segments = SEGMENTS.slice(0, 4);
  const romanizing = {
    async *recognize() {
      for (const segment of segments) {
        yield { type: 'segment-end', segment, syllables: segment.startMs === 1 ? null : readingsOf(segment) };
      }
    },
  };
  const romanizer = {
    async *romanize(_audio: unknown, unromanized: readonly Segment[]) {
      for (const segment of unromanized) yield readingsOf(segment);
    },
  };
  const ref = { ...recognizerRef('builtin'), ability: 'romanizer' as const, capabilities: { quality: 10 } };
  const context = {
    open: ({ ability }: { ability: string }) => Promise.resolve(ability === 'romanizer' ? romanizer : romanizing),
    maxDurationMs: 60_000,
    async *fuse(batch: readonly { segment: Segment }[]) {
      yield { type: 'fusion-end', fusion: { segments: batch.map(({ segment }) => segment), romanization: [] } };
    },
  } as unknown as TranscriptionContext;
  const call = {
    path,
    models: { ...recognizerModels(recognizerRef('builtin')), romanizer: ref },
    options: { language: 'cantonese', context: null, withDiarization: false },
  } as const;
  const collector = createResultCollector();
  for await (const event of transcribeRecording(call, context, new AbortController().signal)) collector.add(event);
  const { fusion } = collector.result();
  expect(fusion?.segments).toEqual(segments);
  expect(fusion?.romanization).toEqual(['reading0', 'reading1', 'reading2', 'reading3']);
});

/** A segment fills a batch of the correction, and its chunk as well. */
const long = (index: number): Segment => ({ ...SEGMENTS[index]!, text: `${index}`.padEnd(1_200, '好') });
const syllables = [{ startMs: 0, endMs: 1, alternatives: [{ reading: 'hou2', probability: 1 }] }];

const corrected = (index: number): FusionEvent => ({
  type: 'fusion-end',
  fusion: { segments: [{ ...long(index), text: `corrected ${index}` }], romanization: [] },
});
const progressOf = (events: TranscriptionEvent[]) =>
  events.flatMap((event) => (event.type === 'progress' ? [[event.stage, event.processedMs]] : []));
const resultOf = (events: TranscriptionEvent[]) => {
  const collector = createResultCollector();
  for (const event of events) collector.add(event);
  return collector.result();
};

async function* recognizeTwo(): AsyncGenerator<RecognitionEvent> {
  yield { type: 'segment-end', segment: long(0), syllables };
  yield { type: 'segment-end', segment: long(1), syllables };
}

/** The events of a recording with two batches; `fuse` gets the number of each batch. */
async function transcribeWith(
  fuse: (batch: number) => AsyncIterable<FusionEvent>,
  recognize: () => AsyncIterable<RecognitionEvent>,
): Promise<TranscriptionEvent[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  await writeSound(path, whistle([null, 'nei5', 'hou2', null]), 'wav');
  let batches = 0;
  const context = {
    open: () => Promise.resolve({ recognize }),
    maxDurationMs: 60_000,
    fuse: () => fuse((batches += 1)),
  } as unknown as TranscriptionContext;
  const models = recognizerModels(recognizerRef('builtin'));
  const call = { path, models, options: { language: 'cantonese', context: null, withDiarization: false } } as const;
  return await Array.fromAsync(transcribeRecording(call, context, new AbortController().signal));
}
describe('correction alongside recognition', () => {
  it('repeats the progress of recognition until that has ended, and is then a stage of its own', async () => {
    const isReached = Promise.withResolvers<void>();
    const isShown = Promise.withResolvers<void>();
    const events = await transcribeWith(
      async function* (batch) {
        await isReached.promise;
        yield { type: 'progress', stage: 'fusion', processedMs: batch };
        isShown.resolve();
        yield corrected(batch - 1);
      },
      async function* () {
        yield { type: 'segment-end', segment: long(0), syllables };
        yield { type: 'progress', stage: 'recognition', processedMs: 1_000 };
        isReached.resolve();
        await isShown.promise;
        // It fills no batch, so it is corrected when recognition has ended.
        yield { type: 'segment-end', segment: SEGMENTS[1]!, syllables };
        yield { type: 'progress', stage: 'recognition', processedMs: 2_000 };
      },
    );
    expect(progressOf(events)).toEqual([
      ['recognition', 0],
      ['recognition', 1_000],
      ['recognition', 1_000],
      ['recognition', 2_000],
      ['fusion', 2],
    ]);
    expect(resultOf(events).fusion?.segments.map(({ text }) => text)).toEqual(['corrected 0', 'corrected 1']);
  });

  it('that fails leaves the text as recognized, and says so', async () => {
    const events = await transcribeWith(async function* () {
      yield* [];
      throw new AppError('engine_failed', 'It broke.');
    }, recognizeTwo);
    const failed = events.filter(({ type }) => type === 'correction-failed');
    expect(failed).toEqual([
      { type: 'correction-failed', corrector: null, code: 'engine_failed', message: 'It broke.' },
    ]);
    expect(resultOf(events).fusion).toBeNull();
    expect(resultOf(events).segments).toHaveLength(2);
  });

  it('that exceeds its time ends the transcription', async () => {
    const late = new AppError('timed_out', 'A chunk was late.');
    const transcribed = transcribeWith(async function* () {
      yield* [];
      throw late;
    }, recognizeTwo);
    await expect(transcribed).rejects.toBe(late);
  });

  it('holds recognition back when it is two batches behind', async () => {
    let recognized = 0;
    const finish = Promise.withResolvers<void>();
    const transcribed = transcribeWith(
      async function* (batch) {
        await finish.promise;
        yield corrected(batch - 1);
      },
      async function* () {
        for (let index = 0; index < 5; index += 1) {
          yield { type: 'segment-end', segment: long(index), syllables };
          recognized += 1;
        }
      },
    );
    await expect.poll(() => recognized).toBe(2);
    finish.resolve();
    expect(resultOf(await transcribed).fusion?.segments).toHaveLength(5);
  });
});
