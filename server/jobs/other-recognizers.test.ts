import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { ModelFailure, TranscriptionResult } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import { createModelHealth } from '#features/transcription/model-health.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { createFollowedSegments, withOtherRecognizers } from './other-recognizers.ts';

const NEVER = new AbortController().signal;
const refOf = (model: string) => ({ ability: 'recognizer', engine: model, model }) as ModelRef<'recognizer'>;
const MODELS: TranscriptionModels = {
  recognizers: { cantonese: refOf('first'), english: refOf('first') },
  otherRecognizers: { cantonese: [refOf('second')], english: [refOf('second')] },
  languageIdentifier: null,
  diarizer: null,
  romanizer: null,
  correctors: [],
};

const resultOf = (backend: string, modelFailures?: ModelFailure[]) =>
  ({ backend, ...(modelFailures === undefined ? {} : { modelFailures }) }) as unknown as TranscriptionResult;

/** A transcription whose models work, or break the process. */
function setUp(isBroken: (model: string) => boolean, code: 'engine_failed' | 'timed_out' | 'empty_audio') {
  const services = { health: createModelHealth(), metrics: createMetrics(), logger: pino({ level: 'silent' }) };
  const run = () => {
    const followed = createFollowedSegments();
    const attempt = async ({ recognizers }: TranscriptionModels) => {
      const model = recognizers.cantonese?.model ?? '';
      followed.add({ type: 'recognizer', model });
      if (isBroken(model)) throw new AppError(code);
      return { result: resultOf(model), isDegraded: false };
    };
    return withOtherRecognizers(MODELS, attempt, followed, services, NEVER);
  };
  return { ...services, run };
}

it.each(['engine_failed', 'timed_out'] as const)('a recording goes to the next model after %s', async (code) => {
  const { run, metrics } = setUp((model) => model === 'first', code);
  expect(await run()).toEqual({
    result: {
      backend: 'second',
      modelFailures: [{ model: 'first', failure: 'failed', answeredBy: 'second', segments: 1 }],
    },
    isDegraded: true,
  });
  expect(await metrics.registry.metrics()).toContain('jyutsing_model_failures_total{model="first",reason="failed"} 1');
});

it('the error of the last model and those of the recording are thrown', async () => {
  await expect(setUp(() => true, 'engine_failed').run()).rejects.toMatchObject({ code: 'engine_failed' });
  await expect(setUp((model) => model === 'first', 'empty_audio').run()).rejects.toMatchObject({
    code: 'empty_audio',
  });
});

it('three failures in a row set a model aside for ten minutes, and a success ends the row', () => {
  let nowMs = 0;
  const health = createModelHealth(() => nowMs);
  health.failed('model');
  health.failed('model');
  health.succeeded('model');
  health.failed('model');
  health.failed('model');
  expect(health.isSetAside('model')).toBe(false);
  health.failed('model');
  expect([health.isSetAside('model'), health.isSetAside('other')]).toEqual([true, false]);
  nowMs = 10 * 60_000 - 1;
  expect(health.isSetAside('model')).toBe(true);
  nowMs += 1;
  expect(health.isSetAside('model')).toBe(false);
  // The first failure afterwards sets it aside again.
  health.failed('model');
  expect(health.isSetAside('model')).toBe(true);
});

const failureOf = (model: string): ModelFailure => ({ model, failure: 'loop', answeredBy: 'second', segments: 1 });

const attempt = async () => ({
  result: resultOf('first', [failureOf('first'), failureOf('worse')]),
  isDegraded: false,
});

it('a model that answered for most segments is not set aside for those that it failed on', async () => {
  const services = { health: createModelHealth(), metrics: createMetrics(), logger: pino({ level: 'silent' }) };
  for (let recording = 0; recording < 3; recording += 1) {
    await withOtherRecognizers(MODELS, attempt, createFollowedSegments(), services, NEVER);
  }
  expect(['first', 'worse'].map(services.health.isSetAside)).toEqual([false, true]);
  expect(await services.metrics.registry.metrics()).toContain(
    'jyutsing_model_failures_total{model="first",reason="loop"} 3',
  );
});

const segmentAt = (startMs: number): Segment => ({
  text: '好',
  startMs,
  endMs: startMs + 900,
  words: [],
  speaker: null,
  confidence: null,
});

it('followers get each segment once, also when a process breaks after some', () => {
  const followed = createFollowedSegments();
  const add = (startMs: number) => followed.add({ type: 'segment-end', segment: segmentAt(startMs), syllables: null });
  expect([add(0), add(1_000)]).toEqual([0, 1]);
  followed.beginAgain();
  expect([add(0), add(1_000), add(2_000)]).toEqual([null, null, 2]);
});

it('no recognizer is blamed for the failure of another stage, or before one is opened again', () => {
  const followed = createFollowedSegments();
  followed.add({ type: 'recognizer', model: 'first' });
  followed.add({ type: 'progress', stage: 'recognition', processedMs: 100 });
  expect(followed.model()).toBe('first');
  for (const stage of ['diarization', 'fusion'] as const) {
    followed.add({ type: 'progress', stage, processedMs: 100 });
    expect(followed.model()).toBe('');
    followed.add({ type: 'recognizer', model: 'first' });
  }
  followed.beginAgain();
  expect(followed.model()).toBe('');
});

it('followers get the segments of later channels, also those before the place where a process broke', () => {
  const followed = createFollowedSegments();
  const add = (speaker: string, startMs: number) =>
    followed.add({ type: 'segment-end', segment: { ...segmentAt(startMs), speaker }, syllables: null });
  expect([add('0', 0), add('0', 1_000), add('1', 0)]).toEqual([0, 1, 2]);
  followed.beginAgain();
  expect([add('0', 0), add('0', 1_000), add('1', 0), add('1', 1_000)]).toEqual([null, null, null, 3]);
});
