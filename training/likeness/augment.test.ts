import { expect, test } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { createRandom } from '#packages/numeric/random.ts';
import { addBackground, augment, backgroundOf } from './augment.ts';
import { apart, WORD_LANGUAGES, wordsOf } from './texts.ts';

const RATE_HZ = 16_000;

/** Bursts of a tone, with noise of a level all the time. */
function speechLike(noise: number, seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from(
    { length: RATE_HZ },
    (_, i) => (i % 4_000 < 2_400 ? 0.3 * Math.sin(i / 5) : 0) + noise * (random() - 0.5),
  );
}

const pause = (sound: Float32Array) => rootMeanSquare(sound.slice(2_800, 3_800));

test('the background of a noisy recording is put behind a clean voice at its ratio', () => {
  const noisy = speechLike(0.02, 1);
  const clean = speechLike(0, 2).map((sample) => 0.5 * sample);
  const changed = addBackground(clean, backgroundOf(noisy), createRandom(3));
  expect(pause(clean)).toBe(0);
  // Half as loud a voice has half as loud a background.
  expect(pause(changed) / pause(noisy)).toBeGreaterThan(0.35);
  expect(pause(changed) / pause(noisy)).toBeLessThan(0.7);
});

test('every change keeps the length of a clip, and its samples are finite', () => {
  const clip = speechLike(0.001, 4);
  const background = backgroundOf(speechLike(0.02, 5));
  for (let seed = 1; seed <= 12; seed += 1) {
    const changed = augment(clip, { isHuman: seed % 2 === 0, background }, createRandom(seed));
    expect(changed).toHaveLength(clip.length);
    expect(changed.every(Number.isFinite)).toBe(true);
  }
});

test('the same seed gives the same clip', () => {
  const clip = speechLike(0.001, 4);
  const background = backgroundOf(clip);
  const make = () => augment(clip, { isHuman: true, background }, createRandom(9));
  expect(make()).toEqual(make());
});

test('every language gives sentences of its words, which can be set apart', () => {
  for (const language of WORD_LANGUAGES)
    expect(wordsOf(language, createRandom(1)).split(' ').length).toBeGreaterThan(4);
  expect(apart('casa acqua')).toBe('casa. acqua');
});
