import { describe, expect, it } from 'vitest';
import { summarize } from './summarize.ts';

const spoken = {
  spokenScores: [100, 100],
  expectedUnits: 2,
  insertions: 0,
  repetitions: 0,
  fillers: 0,
  fluencyScore: 100,
};

const right = (count: number): number[] => Array.from({ length: count }, () => 100);

describe('summary of the syllables', () => {
  it('a perfect, fluent reading scores 100 in everything', () => {
    for (const language of ['cantonese', 'mandarin'] as const) {
      expect(summarize(language, spoken)).toEqual({ score: 100, accuracyScore: 100, integrityScore: 100 });
    }
  });

  it('omissions count 0 and do not change the accuracy of the rest', () => {
    const half = { ...spoken, spokenScores: [100] };
    expect(summarize('cantonese', half)).toEqual({ score: 50, accuracyScore: 100, integrityScore: 50 });
    expect(summarize('cantonese', { ...spoken, spokenScores: [] })).toEqual({
      score: 0,
      accuracyScore: 0,
      integrityScore: 0,
    });
  });

  it('one wrong syllable, one left out or one put in fails a word of two', () => {
    expect(summarize('cantonese', { ...spoken, spokenScores: [100, 60] }).score).toBeLessThan(90);
    expect(summarize('cantonese', { ...spoken, insertions: 1 }).score).toBe(80);
    expect(summarize('cantonese', { ...spoken, repetitions: 1 }).score).toBeLessThan(90);
    expect(summarize('cantonese', { ...spoken, fillers: 2 }).score).toBeGreaterThan(90);
  });

  it('a word with one syllable just below the mark fails, continuously', () => {
    for (const [language, mark] of [
      ['cantonese', 90],
      ['mandarin', 70],
    ] as const) {
      for (const otherScores of [[100], [100, 100]]) {
        const score = (worst: number) =>
          summarize(language, {
            ...spoken,
            spokenScores: [...otherScores, worst],
            expectedUnits: otherScores.length + 1,
          }).score;
        expect(score(mark - 1)).toBeLessThan(mark);
        expect(score(mark)).toBeGreaterThanOrEqual(mark);
        expect(score(10)).toBeLessThan(score(50));
      }
    }
    const sentence = { ...spoken, spokenScores: [100, 100, 100, 100, 100, 80], expectedUnits: 6 };
    expect(summarize('cantonese', sentence).score).toBeGreaterThan(90);
  });

  it('one clearly wrong or omitted syllable fails a text of up to nine in both languages', () => {
    for (const [language, mark] of [
      ['cantonese', 90],
      ['mandarin', 70],
    ] as const) {
      const score = (count: number, ...spokenScores: number[]) =>
        summarize(language, { ...spoken, spokenScores: [...right(count - 1), ...spokenScores], expectedUnits: count })
          .score;
      for (const count of [4, 6, 9]) {
        expect(score(count, 100)).toBe(100);
        expect(score(count, 0)).toBeLessThan(mark);
        expect(score(count)).toBeLessThan(mark);
        expect(score(count, mark)).toBeGreaterThan(mark);
      }
      expect(score(12, 0)).toBeGreaterThan(mark);
    }
  });

  it('a Mandarin text passes with the same syllables as a Cantonese one', () => {
    const half = { ...spoken, spokenScores: [...right(4), 35], expectedUnits: 5 };
    expect(summarize('mandarin', half).score).toBeCloseTo((70 / 90) * 89);
    const doubtful = { ...half, spokenScores: [...right(4), 70] };
    expect(summarize('mandarin', doubtful).score).toBeCloseTo(94);
    expect(summarize('mandarin', doubtful).accuracyScore).toBe(94);
  });

  it.each([
    [2, [80, 62.2], [88.9, 69.1]],
    [3, [85.7, 66.7], [92.3, 76.9]],
    [4, [88.9, 69.1], [94.1, 82.4]],
    [5, [90.9, 72.7], [95.2, 85.7]],
    [8, [94.1, 82.4], [97, 90.9]],
  ])('in a text of %d, one put in leaves %j, one repeated %j, in Cantonese and Mandarin', (count, put, repeated) => {
    const scores = (deviations: { insertions?: number; repetitions?: number }) =>
      (['cantonese', 'mandarin'] as const).map((language) => {
        const { score } = summarize(language, {
          ...spoken,
          spokenScores: right(count),
          expectedUnits: count,
          ...deviations,
        });
        return Math.round(score * 10) / 10;
      });
    expect(scores({ insertions: 1 })).toEqual(put);
    expect(scores({ repetitions: 1 })).toEqual(repeated);
  });

  it('fluency counts in Mandarin, never in Cantonese, and not for one syllable', () => {
    const halting = { ...spoken, spokenScores: [100, 100, 100, 100, 100], expectedUnits: 5, fluencyScore: 0 };
    expect(summarize('cantonese', halting).score).toBe(100);
    expect(summarize('mandarin', halting).score).toBeCloseTo(85);
    expect(summarize('mandarin', { ...halting, spokenScores: [100], expectedUnits: 1 }).score).toBe(100);
  });
});
