import { expect, it } from 'vitest';
import { followingTones } from './following-tones.ts';
import type { SyllableLanguage } from './syllable-language.ts';
import type { Slot } from './syllable-slots.ts';

const unused = () => {
  throw new Error('not needed');
};
const language: SyllableLanguage = { reading: unused, unit: unused, parts: unused, meantBy: unused };
/** In Mandarin a third tone becomes a second one before another third one. */
const mandarin: SyllableLanguage = { ...language, dissimilation: { meant: 3, spoken: 2 } };

/** Makes a slot of syllables with these tones (from 1) and probabilities, the best first. */
function slot(from: number, to: number, ...tones: readonly (readonly [tone: number, p: number])[]): Slot {
  const shared = { onset: 0, rime: 0, segmentalLogp: 0, toneLogp: 0, startFrame: 0, endFrame: 1 };
  const candidates = tones.map(([tone, p]) => ({ ...shared, tone: tone - 1, logp: Math.log(p) }));
  return { from, to, candidates, silenceLogp: -20 };
}

it('gives the share of the tones among the candidates of the next syllable', () => {
  const tonesAfter = followingTones(2, [slot(0, 1, [1, 0.03], [4, 0.01])], language);
  expect(Math.exp(tonesAfter(0, [1]))).toBeCloseTo(0.75);
  expect(Math.exp(tonesAfter(0, [4]))).toBeCloseTo(0.25);
  expect(Math.exp(tonesAfter(0, [1, 4]))).toBeCloseTo(1);
});

it('adds up several candidates with one tone', () => {
  const tonesAfter = followingTones(2, [slot(0, 1, [3, 0.4], [2, 0.4], [3, 0.2])], language);
  expect(Math.exp(tonesAfter(0, [3]))).toBeCloseTo(0.6);
});

it('gives the least probability to an absent tone, to none, after silence and at the end', () => {
  const slots = [slot(0, 1, [1, 0.5]), slot(1, 2)];
  const tonesAfter = followingTones(3, slots, language);
  for (const [node, tones] of [
    [0, [2]],
    [0, []],
    [1, [1]],
    [2, [1]],
    [7, [1]],
  ] as const) {
    expect(Math.exp(tonesAfter(node, tones))).toBeCloseTo(1e-4, 6);
  }
});

it('uses the shortest slot only', () => {
  const slots = [slot(0, 1, [1, 0.5]), slot(0, 2, [2, 0.9]), slot(1, 2, [3, 0.5])];
  const tonesAfter = followingTones(3, slots, language);
  expect(Math.exp(tonesAfter(0, [1]))).toBeCloseTo(1);
  expect(Math.exp(tonesAfter(0, [2]))).toBeCloseTo(1e-4, 6);
});

it.each([
  [1 - 1e-9, 1],
  [0.75, 0.75],
  [1e-9, 1e-4],
])('counts a changed tone as the meant one to the degree that the cause follows: %d', (share, expected) => {
  const slots = [slot(0, 1, [2, 0.5]), slot(1, 2, [3, share], [1, 1 - share])];
  expect(Math.exp(followingTones(3, slots, mandarin)(0, [3]))).toBeCloseTo(expected, 6);
});

it('counts a chain of changes: in 我很好 both first syllables sound like the second tone', () => {
  const slots = [slot(0, 1, [2, 0.9]), slot(1, 2, [2, 0.9]), slot(2, 3, [3, 0.9])];
  const tonesAfter = followingTones(4, slots, mandarin);
  for (const node of [0, 1, 2]) expect(Math.exp(tonesAfter(node, [3]))).toBeCloseTo(1);
  expect(Math.exp(followingTones(4, slots, language)(0, [3]))).toBeCloseTo(1e-4, 6);
});
