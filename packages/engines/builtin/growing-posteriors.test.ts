import { expect, it } from 'vitest';
import type { AcousticModel } from './acoustic-model.ts';
import { createGrowingPosteriors } from './growing-posteriors.ts';

const FRAME_SAMPLES = 480;
const labels = { frameMs: 30, onsets: ['h'], rimes: ['ou'], tones: 2, phones: [] };

const unused = () => Promise.reject(new Error('not needed'));

/**
 * Makes a model whose values tell which frame of the stretch they are for: every frame of the sound
 * contains its number.
 */
function countingModel() {
  const computed: { first: number; frames: number }[] = [];
  const compute: AcousticModel['compute'] = (samples) => {
    const frameCount = Math.floor(samples.length / FRAME_SAMPLES);
    const frames = Array.from({ length: frameCount }, (_, frame) => samples[frame * FRAME_SAMPLES]!);
    computed.push({ first: frames[0] ?? 0, frames: frameCount });
    const rows = (width: number) => Float32Array.from(frames.flatMap((frame) => Array(width).fill(frame) as number[]));
    return Promise.resolve({ frameCount, symbolLogp: rows(3), toneLogp: rows(2) });
  };
  const model: AcousticModel = {
    version: '1',
    labels,
    compute,
    computeWithPitch: unused,
    computeForLanguage: unused,
    close: unused,
  };
  return { model, computed };
}

const SOUND = Float32Array.from({ length: 800 * FRAME_SAMPLES }, (_, sample) => Math.floor(sample / FRAME_SAMPLES));
const soundOf = (frames: number) => SOUND.subarray(0, frames * FRAME_SAMPLES);

it('gives every frame its own row, however the stretch grows and wherever the reader begins', async () => {
  for (const step of [1, 7, 33, 100, 400]) {
    const growing = createGrowingPosteriors(countingModel().model);
    for (let frames = step; frames <= 800; frames += step) {
      for (const from of [0, Math.floor(frames / 2), frames - 1]) {
        if (from > 0 && step === 1) continue;
        // oxlint-disable-next-line no-await-in-loop -- each update continues the one before
        const { frameCount, symbolLogp, toneLogp } = await growing.update(soundOf(frames), from);
        expect(frameCount).toBe(frames - from);
        expect([symbolLogp.length, toneLogp.length]).toEqual([frameCount * 3, frameCount * 2]);
        for (const row of [0, frameCount >> 1, frameCount - 1]) {
          expect([symbolLogp[row * 3], symbolLogp[row * 3 + 2], toneLogp[row * 2 + 1]]).toEqual([
            from + row,
            from + row,
            from + row,
          ]);
        }
      }
      if (step === 1 && frames > 150) break;
    }
  }
});

it('computes the end of the stretch only: 40 frames before the kept ones, of which 20 lack sound after them', async () => {
  const { model, computed } = countingModel();
  const growing = createGrowingPosteriors(model);
  await growing.update(soundOf(100), 0);
  await growing.update(soundOf(120), 0);
  await growing.update(soundOf(700), 0);
  await growing.update(soundOf(710), 0);
  // The updates leave 80, 100 and 680 frames final.
  expect(computed).toEqual([
    { first: 0, frames: 100 },
    { first: 40, frames: 80 },
    { first: 60, frames: 640 },
    { first: 640, frames: 70 },
  ]);
});

it('computes a short stretch from its beginning', async () => {
  const { model, computed } = countingModel();
  const growing = createGrowingPosteriors(model);
  for (const frames of [5, 20, 21, 60]) {
    // oxlint-disable-next-line no-await-in-loop -- each update continues the one before
    await growing.update(soundOf(frames), 0);
  }
  expect(computed.map(({ first }) => first)).toEqual([0, 0, 0, 0]);
});

it('passes copies: what was read does not change with later updates', async () => {
  const growing = createGrowingPosteriors(countingModel().model);
  const { symbolLogp } = await growing.update(soundOf(50), 10);
  await growing.update(
    soundOf(50).map(() => -1),
    10,
  );
  expect([symbolLogp[0], symbolLogp.at(-1)]).toEqual([10, 49]);
});
