import { describe, expect, it } from 'vitest';
import { syllablesPerSecond } from './syllable-rate.ts';

/** Makes levels of 5 ms frames from `[level, frames]` in sequence. */
const levels = (...parts: [number, number][]) => parts.flatMap(([level, frames]) => Array<number>(frames).fill(level));

const rate = (levelsDb: number[], voicedHz = 120) =>
  syllablesPerSecond(Float32Array.from(levelsDb), new Float32Array(levelsDb.length).fill(voicedHz));

/** Makes ten rises and falls of 200 ms each. */
const syllables = (dipDb: number) =>
  Array.from({ length: 400 }, (_, frame) => 60 - (dipDb * Math.abs((frame % 40) - 20)) / 20);

describe('syllables per second', () => {
  it.each([
    ['ten syllables in two seconds', syllables(12), 5],
    ['dips that are too small count as one syllable', syllables(2), 0.5],
    ['a short gap is speaking time', levels([60, 40], [0, 20], [60, 40]), 4],
    ['a pause is no speaking time', levels([60, 40], [0, 80], [60, 40]), 5],
    ['breath far below the speech counts neither as syllable nor as time', levels([60, 40], [0, 80], [25, 40]), 5],
    ['no frame', [], 0],
    ['digital silence', levels([-Infinity, 100]), 0],
  ])('%s', (_, levelsDb, expected) => {
    expect(rate(levelsDb)).toBeCloseTo(expected, 6);
  });

  it('counts no peak without a pitch', () => {
    expect(rate(syllables(12), 0)).toBe(0);
  });

  it('does not depend on the level of the recording', () => {
    expect(rate(syllables(12).map((level) => level - 45))).toBeCloseTo(5, 6);
  });
});
