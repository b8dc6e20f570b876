import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { writeSound } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { followEvents } from './result-parts.ts';
import type { TranscriptionContext, TranscriptionEvent } from './stages.ts';
import { transcribe } from './transcribe.ts';

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
    bias: null,
  } as const;
  const events = await Array.fromAsync(
    transcribe(call, context as unknown as TranscriptionContext, new AbortController().signal),
  );
  const sizes = events.flatMap((event) => (event.type === 'result-part' ? [event.segments.length] : []));
  expect(sizes).toEqual([100, 100, 50]);

  const observed: Segment[] = [];
  const result = await followEvents(replay(events), {
    progress() {},
    segment: (segment) => observed.push(segment),
    correctionFailed() {},
  });
  expect(result.segments).toEqual(SEGMENTS);
  expect(result.fusion).toBeNull();
  expect(observed).toEqual(SEGMENTS);
});

it('what a request says about its speakers reaches the diarizer', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.wav');
  await writeSound(path, whistle([null, 'nei5', 'hou2', null]), 'wav');
  const told: unknown[] = [];
  const diarizer = {
    async *diarize(audio: AsyncIterable<unknown>, _signal: AbortSignal, hints: unknown) {
      await Array.fromAsync(audio);
      told.push(hints);
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
    bias: null,
  } as const;
  const context = { open, maxDurationMs: 60_000, fuse: null } as unknown as TranscriptionContext;
  await Array.fromAsync(transcribe(call, context, new AbortController().signal));
  expect(told).toEqual([{ speakers: { min: 2, max: 4 }, threshold: 0.9 }]);
});

async function* replay(events: readonly TranscriptionEvent[]) {
  yield* events;
}
