import { expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { JUDGED_RATE_HZ } from './human-likeness.ts';
import { logMels, MEL_BANDS } from './log-mels.ts';
import { equalize } from './manipulate.ts';

/** Bursts of a harmonic sound with pauses between them. */
const bursts = Float32Array.from({ length: JUDGED_RATE_HZ }, (_, i) => {
  const phase = (2 * Math.PI * 150 * i) / JUDGED_RATE_HZ;
  let sum = 0;
  for (let harmonic = 1; harmonic < 30; harmonic += 1) sum += Math.sin(harmonic * phase) / harmonic;
  return i % 4_000 < 2_400 ? 0.2 * sum : 0;
});

test('a frame every 10 ms has all bands', () => {
  const { frames, values, isSpeech } = logMels(bursts);
  expect(frames).toBe(98);
  expect(values).toHaveLength(98 * MEL_BANDS);
  expect(isSpeech).toHaveLength(98);
});

test('pauses are no speech', () => {
  const { isSpeech } = logMels(bursts);
  expect(isSpeech[5]).toBe(1);
  expect(isSpeech[20]).toBe(0);
});

test('neither loudness nor a smooth equalizer changes the levels of speech much', () => {
  const plain = logMels(bursts);
  const gains = [3, 3, 0, 2, 1, 0];
  const changed = logMels(equalize(bursts, gains).map((sample) => 0.3 * sample));
  let [sum, count] = [0, 0];
  for (const [at, value] of plain.values.entries()) {
    if (plain.isSpeech[Math.floor(at / MEL_BANDS)] === 0) continue;
    sum += Math.abs(value - changed.values[at]!);
    count += 1;
  }
  expect(sum / count).toBeLessThan(0.1);
});

test('silence gives finite values', () => {
  expect(logMels(new Float32Array(4_000)).values.every(Number.isFinite)).toBe(true);
});

test('sound shorter than a window has no frames', () => {
  expect(logMels(bursts.slice(0, 100)).frames).toBe(0);
});

/** Sum of squares of a frame around its mean. */
function variation(values: Float32Array, frame: number): number {
  const bands = values.slice(frame * MEL_BANDS, (frame + 1) * MEL_BANDS);
  const mean = bands.reduce((a, b) => a + b, 0) / MEL_BANDS;
  return bands.reduce((sum, x) => sum + (x - mean) ** 2, 0);
}

test('noise differs from harmonics between the bands', () => {
  const random = createRandom(3);
  const noise = logMels(Float32Array.from(bursts, () => random() - 0.5));
  // Relative to their own mean steady harmonics are flat, and noise is not.
  expect(variation(noise.values, 5)).toBeGreaterThan(variation(logMels(bursts).values, 5));
});
