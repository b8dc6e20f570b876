import { expect, test } from 'vitest';
import { JYUTPING_ONSETS, JYUTPING_RIMES, isSyllable } from './jyutping.ts';
import { isSameSyllable, soundDistance } from './sound-distance.ts';

test('merged sounds of Hong Kong are one syllable, also where two mergers meet', () => {
  for (const [a, b] of [
    ['nei5', 'lei5'],
    ['ngo5', 'o5'],
    ['gwok3', 'gok3'],
    ['ng5', 'm5'],
    ['kwong4', 'kong4'],
  ] as const) {
    expect([a, b, isSameSyllable(a, b), isSameSyllable(b, a), soundDistance(a, b)]).toEqual([a, b, true, true, 0]);
  }
  expect(isSameSyllable('nei5', 'nei4')).toBe(false);
  expect(isSameSyllable('si1', 'ci1')).toBe(false);
});

test('the tone does not count for the distance', () => {
  expect(soundDistance('tin1', 'tin4')).toBe(0);
});

test('a shared rime is nearer than a shared onset, and confusable sounds are nearer than others', () => {
  expect(soundDistance('tin4', 'sin4')).toBeCloseTo(0.45);
  expect(soundDistance('tin4', 'tok4')).toBeCloseTo(0.55);
  expect(soundDistance('tin4', 'din4')).toBeLessThan(0.2);
  expect(soundDistance('saan1', 'saang1')).toBeLessThan(0.1);
  expect(soundDistance('tin4', 'gwok3')).toBe(1);
});

test('a text that is no jyutping is far from everything, including itself', () => {
  for (const text of ['', 'xin1', 'tin', 'tin7', '天', 'a'.repeat(100)]) {
    expect(soundDistance(text, 'tin1')).toBe(1);
    expect(soundDistance(text, text)).toBe(1);
    expect(isSameSyllable(text, text)).toBe(false);
  }
});

test('the distance is symmetric, between 0 and 1, and 0 to itself', () => {
  const syllables = ['', ...JYUTPING_ONSETS]
    .flatMap((onset) => JYUTPING_RIMES.map((rime) => `${onset}${rime}1`))
    .filter(isSyllable);
  for (const [index, a] of syllables.entries()) {
    const b = syllables[(index * 7_919) % syllables.length] ?? '';
    expect(soundDistance(a, a)).toBe(0);
    expect(soundDistance(a, b)).toBe(soundDistance(b, a));
    expect(soundDistance(a, b)).toBeGreaterThanOrEqual(0);
    expect(soundDistance(a, b)).toBeLessThanOrEqual(1);
  }
});
