import { describe, expect, test } from 'vitest';
import { measureFluency } from './measure-fluency.ts';
import type { SpokenTiming } from './types.ts';

/** Makes the timing of units of `unitMs` each, with these pauses before them. */
function timing(
  pausesMs: readonly number[],
  unitMs = 220,
  overrides: Partial<SpokenTiming> = {},
  stops: readonly number[] = [],
) {
  let atMs = 300;
  const units = pausesMs.map((pauseMs, index) => {
    const startMs = atMs + pauseMs;
    atMs = startMs + unitMs;
    return { startMs, endMs: atMs, syllables: 1, afterPause: stops.includes(index) };
  });
  return { units, expectedUnits: units.length, repetitions: 0, insertions: 0, ...overrides };
}

const fluent = timing([0, 0, 20, 0, 0, 30, 0, 0]);

describe('fluency', () => {
  test.each(['english', 'mandarin', 'cantonese'] as const)('reading without pauses is fluent in %s', (language) => {
    expect(measureFluency(fluent, language)).toBeGreaterThan(85);
  });

  test('a single syllable loses nothing for pauses', () => {
    expect(measureFluency(timing([0], 300), 'cantonese')).toBeGreaterThan(85);
    expect(measureFluency(timing([0], 450), 'mandarin')).toBeGreaterThan(80);
  });

  test('the longer the pauses, the less fluent', () => {
    const scores = [0, 200, 400, 800, 1_600].map((pauseMs) =>
      measureFluency(timing([0, pauseMs, 0, pauseMs, 0, pauseMs, 0, 0]), 'english'),
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[0]! - scores[4]!).toBeGreaterThan(30);
  });

  test('a pause after punctuation is free, elsewhere it is not', () => {
    const pauses = [0, 0, 0, 0, 600, 0, 0, 0];
    const free = measureFluency(timing(pauses, 220, {}, [4]), 'english');
    expect(free).toBeCloseTo(measureFluency(timing([0, 0, 0, 0, 0, 0, 0, 0]), 'english'), 0);
    expect(measureFluency(timing(pauses), 'english')).toBeLessThan(free - 5);
  });

  test('slow speech is less fluent', () => {
    expect(measureFluency(timing([0, 0, 0, 0, 0], 700), 'english')).toBeLessThan(
      measureFluency(fluent, 'english') - 20,
    );
  });

  test('repetitions and insertions cost fluency', () => {
    const clean = measureFluency(fluent, 'english');
    expect(measureFluency({ ...fluent, repetitions: 2 }, 'english')).toBeLessThan(clean - 5);
    expect(measureFluency({ ...fluent, insertions: 4 }, 'english')).toBeLessThan(clean - 2);
  });

  test('silence is not fluent', () => {
    expect(measureFluency({ units: [], expectedUnits: 3, repetitions: 0, insertions: 0 }, 'mandarin')).toBe(0);
  });

  test('units of zero length give a score', () => {
    const units = Array.from({ length: 4 }, () => ({ startMs: 0, endMs: 0, syllables: 1, afterPause: true }));
    const score = measureFluency({ units, expectedUnits: 4, repetitions: 9, insertions: 9 }, 'cantonese');
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(100);
  });
});
