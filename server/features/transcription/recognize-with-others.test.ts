import { expect, it } from 'vitest';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import type { RecognitionEvent, RecognitionFailure, Recognizer } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import { createRandom } from '@jyutsing/numeric/random';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { recognizeWithOthers } from './recognize-with-others.ts';

const NEVER = new AbortController().signal;
const OPTIONS = { language: 'cantonese', context: null, romanize: false } as const;
/** Four stretches of humming with a second of silence between them, and their starts. */
const SYLLABLES = [0, 1, 2, 0, 1, 2];
const { channels } = hum([null, ...SYLLABLES, null, ...SYLLABLES, null, ...SYLLABLES, null, ...SYLLABLES, null]);
const sound = channels[0] ?? new Float32Array(0);
const RIGHT = '香港人飲茶';

const DOUBTED = '多謝收睇';

/**
 * A model as engines run theirs: the text of each stretch, by its number; or an error. `DOUBTED` is
 * a text where a detector hears no voice.
 */
type StandIn = (stretch: number) => string | AppError;

async function* withDoubts(events: AsyncIterable<RecognitionEvent>): AsyncGenerator<RecognitionEvent> {
  for await (const event of events) {
    const isDoubted = event.type === 'segment-end' && event.segment.text === DOUBTED;
    yield isDoubted ? { ...event, failure: 'no_speech' } : event;
  }
}

function recognizerOf(write: StandIn): Recognizer {
  let stretch = -1;
  const recognizeSegment = async (speech: SpeechSegment) => {
    stretch += 1;
    const text = write(stretch);
    if (typeof text !== 'string') throw text;
    const { speechStartMs: startMs, speechEndMs: endMs } = speech;
    const segment: Segment = { text, startMs, endMs, words: [], speaker: null, confidence: null };
    return text === '' ? null : segment;
  };
  return {
    concurrency: 1,
    follow: null,
    recognize: (audio, { language }, signal) =>
      withDoubts(recognizeSegments(audio, recognizeSegment, signal, { language })),
    close: async () => {},
  };
}

async function* chunks(): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < sound.length; at += 4_000) {
    yield { samples: sound.slice(at, at + 4_000), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

const refOf = (model: string) => ({ ability: 'recognizer', engine: model, model }) as ModelRef<'recognizer'>;

async function run(models: Record<string, StandIn | 'missing'>) {
  const opened = new Map<string, Recognizer>();
  const open = async ({ model }: { model: string }) => {
    const standIn = models[model];
    if (standIn === undefined || standIn === 'missing') throw new AppError('engine_failed', 'It cannot be loaded.');
    const recognizer = opened.get(model) ?? recognizerOf(standIn);
    opened.set(model, recognizer);
    return recognizer as never;
  };
  const events = await Array.fromAsync(
    recognizeWithOthers(Object.keys(models).map(refOf), open, chunks(), OPTIONS, NEVER),
  );
  return {
    segments: events.flatMap((event) => (event.type === 'segment-end' ? [event] : [])),
    failures: events.flatMap((event) => (event.type === 'model-failed' ? [event] : [])),
  };
}

const good: StandIn = () => RIGHT;
const startsOf = (segments: { segment: Segment }[]) => segments.map(({ segment }) => Math.round(segment.startMs / 100));

it.each<[RecognitionFailure, StandIn]>([
  ['empty', () => ''],
  ['loop', () => '多謝晒你'.repeat(4)],
  ['wrong_script', () => '안녕하세요'],
  ['too_fast', () => '而家香港天氣好熱啊聽日會落雨唔好出街玩住先我哋留喺屋企食飯睇電視'.repeat(2)],
  ['failed', () => new AppError('engine_failed')],
])('the next model answers where one fails: %s', async (failure, broken) => {
  const right = await run({ other: good });
  expect(right.segments).toHaveLength(4);
  const { segments, failures } = await run({ broken, other: good });
  expect(segments.map(({ segment, model }) => [segment.text, model])).toEqual(
    Array.from({ length: 4 }, () => [RIGHT, 'other']),
  );
  expect(startsOf(segments)).toEqual(startsOf(right.segments));
  expect(new Set(failures.map((event) => JSON.stringify([event.model, event.failure, event.answeredBy])))).toEqual(
    new Set([JSON.stringify(['broken', failure, 'other'])]),
  );
});

it('only the stretch that a model fails on is recognized by another', async () => {
  const { segments, failures } = await run({ main: (stretch) => (stretch === 1 ? '' : '早晨啊大家'), other: good });
  expect(segments.map(({ model }) => model)).toEqual(['main', 'other', 'main', 'main']);
  expect(failures).toHaveLength(1);
});

const breaks: StandIn = (stretch) => (stretch === 2 ? new AppError('engine_failed') : '早晨啊大家');

it('a model that breaks in the middle, or cannot be opened, loses nothing', async () => {
  const broken = await run({ main: breaks, other: good });
  expect(broken.segments.map(({ model }) => model)).toEqual(['main', 'main', 'other', 'other']);
  expect(startsOf(broken.segments)).toEqual(startsOf((await run({ other: good })).segments));
  const missing = await run({ main: 'missing', other: good });
  expect(missing.segments.map(({ model }) => model)).toEqual(['other', 'other', 'other', 'other']);
});

it('a model is not asked again after three failures in a row', async () => {
  let recognitions = 0;
  await run({ main: () => ((recognitions += 1), ''), other: good });
  expect(recognitions).toBe(3);
});

it('the third model answers where the second fails too, and what all fail on stays', async () => {
  const third = await run({ main: () => '', second: () => 'спасибо большое', third: good });
  expect(third.segments.map(({ model }) => model)).toEqual(['third', 'third', 'third', 'third']);
  const loop = '多謝晒你'.repeat(4);
  const none = await run({ main: () => loop, second: () => '' });
  expect(none.segments.map(({ segment }) => segment.text)).toEqual([loop, loop, loop, loop]);
  expect(none.failures).toEqual([]);
  expect((await run({ main: () => '', second: () => '' })).segments).toEqual([]);
});

it('errors of a server that is away, and those of the last model, are thrown', async () => {
  const away = new AppError('service_unavailable');
  await expect(run({ main: () => away, other: good })).rejects.toBe(away);
  const error = new AppError('engine_failed');
  await expect(run({ main: () => error, other: () => error })).rejects.toBe(error);
});

const emptyOnce: StandIn = (stretch) => (stretch === 1 ? '' : '早晨啊大家');

it('a second opinion that cannot be had fails nothing, whatever its error', async () => {
  const away = new AppError('service_unavailable');
  const rows = (['service_unavailable', 'engine_unavailable', 'invalid_parameter'] as const).map(async (code) => {
    const { segments } = await run({ main: emptyOnce, away: () => new AppError(code), other: good });
    return segments.map(({ model }) => model).join(' ');
  });
  expect(new Set(await Promise.all(rows))).toEqual(new Set(['main other main main']));
  expect((await run({ main: emptyOnce, away: () => away })).segments).toHaveLength(3);
  // A server that is away is passed over also where the planned model is not asked again.
  const { segments } = await run({ main: () => '', away: () => away, other: good });
  expect(segments.map(({ model }) => model)).toEqual(['other', 'other', 'other', 'other']);
});

it('at most two models are asked about a segment, and none after three that they fail on', async () => {
  const calls = { second: 0, third: 0, fourth: 0 };
  const counted = (model: keyof typeof calls, text: string) => () => ((calls[model] += 1), text);
  const nextModels = { second: counted('second', ''), third: counted('third', ''), fourth: counted('fourth', RIGHT) };
  expect((await run({ main: () => '多謝晒你'.repeat(4), ...nextModels })).segments.map(({ model }) => model)).toEqual([
    'main',
    'main',
    'main',
    'main',
  ]);
  expect(calls).toEqual({ second: 3, third: 3, fourth: 0 });
});

it('a text where no voice is heard is dropped when another model hears nothing', async () => {
  const main: StandIn = (stretch) => (stretch === 1 ? DOUBTED : '早晨啊大家');
  const dropped = await run({ main, other: () => '' });
  expect(dropped.segments.map(({ segment }) => segment.text)).toEqual(['早晨啊大家', '早晨啊大家', '早晨啊大家']);
  expect(dropped.failures).toMatchObject([{ model: 'main', failure: 'no_speech', answeredBy: 'other' }]);
  const replaced = await run({ main, other: good });
  expect(replaced.segments.map(({ model }) => model)).toEqual(['main', 'other', 'main', 'main']);
  // A model that fails has not heard that there is nothing.
  const failed = await run({ main, other: () => new AppError('engine_failed') });
  expect(failed.segments[1]?.segment.text).toBe(DOUBTED);
});

it('an event without a failure has none', async () => {
  const { segments } = await run({ other: good });
  expect(segments.every((event) => !('failure' in (event as RecognitionEvent)))).toBe(true);
});

const MIXED_RECORDINGS = 20;
const FAILURES: readonly StandIn[] = [
  () => '',
  () => '多謝晒你'.repeat(4),
  () => 'спасибо большое',
  () => 'a'.repeat(200),
  () => new AppError('engine_failed'),
  () => new AppError('timed_out'),
  good,
];

it('recordings of models that fail in every way lose no stretch, and none is without text', async () => {
  const random = createRandom(51);
  const pick = () => FAILURES[Math.floor(random() * FAILURES.length)]!;
  for (let recording = 0; recording < MIXED_RECORDINGS; recording += 1) {
    const { segments } = await run({
      first: (stretch) => pick()(stretch),
      second: (stretch) => pick()(stretch),
      third: good,
    });
    expect(segments.map(({ segment }) => segment.text)).toEqual([RIGHT, RIGHT, RIGHT, RIGHT]);
  }
});
