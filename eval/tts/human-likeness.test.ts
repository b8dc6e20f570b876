import { expect, test } from 'vitest';
import { createRandom } from '#packages/numeric/random.ts';
import { fitLikeness, JUDGED_RATE_HZ, likenessFeatures, likenessOf } from './human-likeness.ts';

/** Syllables of harmonics whose pitch and level move smoothly, or unevenly as in people. */
function speechLike(seed: number, unevenness: number): Float32Array {
  const random = createRandom(seed);
  let phase = 0;
  let drift = 0;
  return Float32Array.from({ length: 2 * JUDGED_RATE_HZ }, (_, i) => {
    if (i % 80 === 0) drift = 0.8 * drift + unevenness * (random() - 0.5);
    phase += (2 * Math.PI * (140 + 20 * Math.sin(i / 9_000 + seed)) * (1 + 0.05 * drift)) / JUDGED_RATE_HZ;
    const level = Math.max(0, Math.sin((2 * Math.PI * i) / 4_000)) * (1 + drift);
    return 0.3 * level * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(5 * phase)) + 1e-4 * random();
  });
}

const clips = (from: number) =>
  Array.from({ length: 12 }, (_, i) => ({
    features: likenessFeatures(speechLike(from + i, i % 2 === 0 ? 1 : 0.05)),
    isHuman: i % 2 === 0,
    kind: 'made up',
  }));

test('features are alike for a clip at another level', () => {
  const clip = speechLike(1, 1);
  const quieter = likenessFeatures(clip.map((sample) => 0.25 * sample));
  for (const [i, feature] of likenessFeatures(clip).slice(1).entries()) expect(quieter[i + 1]).toBeCloseTo(feature, 0);
});

test('the judge tells uneven from smooth speech that it has not heard', () => {
  const model = fitLikeness(clips(1));
  for (const { features, isHuman } of clips(100)) expect(likenessOf(features, model) > 0.5).toBe(isHuman);
});

const line = (x: number, isHuman: boolean, kind: string) => ({ features: [x], isHuman, kind });

test('a rare kind counts as much as a frequent one', () => {
  const many = Array.from({ length: 40 }, () => line(1, true, 'frequent'));
  const machines = Array.from({ length: 41 }, () => line(0, false, 'machine'));
  const clips = [...many, line(-1, true, 'rare'), ...machines];
  // People lie on both sides of machines, so that no weight helps, and neither side may win.
  expect(likenessOf([0], fitLikeness(clips))).toBeCloseTo(0.5, 1);
});
