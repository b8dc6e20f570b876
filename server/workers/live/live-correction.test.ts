import { expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { SpeechCorrection } from '#features/live/live-context.ts';
import { createLiveCorrection } from './live-correction.ts';

const ref = { engine: 'test', model: 'test', version: '1', capabilities: { quality: 1 } };
const segment: Segment = { text: '心水步', startMs: 0, endMs: 900, words: [], speaker: null, confidence: null };
const CALL: SpeechCorrection = {
  models: { romanizer: { ability: 'romanizer', ...ref }, correctors: [{ ability: 'corrector', ...ref }] },
  context: '深水埗',
  piece: { segment, samples: new Float32Array(16) },
};
const RIGHT = { ...segment, text: '深水埗' };

/** A worker process that answers as told, and what it was asked. */
function worker(answer: () => Promise<Segment | null>) {
  const inputs: unknown[] = [];
  const run = async (_task: unknown, input: unknown) => {
    inputs.push(input);
    return answer();
  };
  return { inputs, run: run as Parameters<typeof createLiveCorrection>[0]['run'] };
}
const never = () => new Promise<never>(() => {});

it('a piece is corrected', async () => {
  const workers = worker(async () => RIGHT);
  expect(await createLiveCorrection(workers, 60_000)(CALL)).toEqual(RIGHT);
  expect(workers.inputs).toEqual([CALL]);
});

it('a piece stays as it is when its correction is late or fails', async () => {
  expect(await createLiveCorrection(worker(never), 1)(CALL)).toBeNull();
  const failing = worker(() => Promise.reject(new AppError('engine_failed')));
  expect(await createLiveCorrection(failing, 60_000)(CALL)).toBeNull();
});

it('a late correction goes on, and pieces that were late before their turn are never begun', async () => {
  const ends: (() => void)[] = [];
  const workers = worker(() => new Promise((resolve) => ends.push(() => resolve(RIGHT))));
  const correct = createLiveCorrection(workers, 1);
  for (let piece = 0; piece < 6; piece += 1) expect(await correct(CALL)).toBeNull();
  expect(workers.inputs).toHaveLength(1);
  const next = { ...CALL, context: 'next' };
  ends[0]?.();
  await expect
    .poll(async () => {
      await correct(next);
      return workers.inputs;
    })
    .toEqual([CALL, next]);
});

it('no more pieces wait than can be corrected in time', async () => {
  const end = Promise.withResolvers<Segment>();
  const correct = createLiveCorrection(
    worker(() => end.promise),
    60_000,
  );
  const waiting = Array.from({ length: 4 }, () => correct(CALL));
  for (let piece = 0; piece < 2; piece += 1) expect(await correct(CALL)).toBeNull();
  end.resolve(RIGHT);
  expect(await Promise.all(waiting)).toEqual([RIGHT, RIGHT, RIGHT, RIGHT]);
});

it('sessions that begin together load once, and leave room for pieces', async () => {
  const loaded = Promise.withResolvers<null>();
  const workers = worker(async () => (workers.inputs.length === 1 ? loaded.promise : RIGHT));
  const correct = createLiveCorrection(workers, 60_000);
  const load = { ...CALL, piece: null };
  const loading = correct(load);
  for (let session = 0; session < 5; session += 1) expect(await correct(load)).toBeNull();
  const waiting = Array.from({ length: 3 }, () => correct(CALL));
  expect(await correct(CALL)).toBeNull();
  loaded.resolve(null);
  expect(await loading).toBeNull();
  expect(await Promise.all(waiting)).toEqual([RIGHT, RIGHT, RIGHT]);
  expect(workers.inputs).toEqual([load, CALL, CALL, CALL]);
});

it('a limit of 0 switches corrections off', async () => {
  const workers = worker(async () => RIGHT);
  expect(await createLiveCorrection(workers, 0)(CALL)).toBeNull();
  expect(workers.inputs).toEqual([]);
});
