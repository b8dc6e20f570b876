import { expect, it } from 'vitest';
import { agreement, learnerFigures } from './learner-figures.ts';
import type { LearnerTrial } from './learner-trials.ts';

it('agreement is reported on the scale of the raters', () => {
  const points = [
    { speaker: 'a', human: 5, machine: 60 },
    { speaker: 'a', human: 7, machine: 60 },
    { speaker: 'b', human: 9, machine: 90 },
  ];
  const { pearson, meanAbsoluteError, bias, compared } = agreement('total', points);
  expect(compared).toBe(3);
  expect(meanAbsoluteError).toBeCloseTo(2 / 3, 12);
  expect(bias).toBeCloseTo(0, 12);
  // Deviations −2, 0, 2 and −1, −1, 2: 6 ÷ √(8 · 6).
  expect(pearson.value).toBeCloseTo(6 / Math.sqrt(48), 12);
});

function trial(speaker: string, ageYears: number, score: number | null): LearnerTrial {
  return {
    speaker,
    ageYears,
    human: { accuracy: 8, fluency: 8, total: (score ?? 0) / 10 },
    machine: score === null ? null : { accuracy: score, fluency: score, total: score, integrity: 100 },
    refused: score === null ? 'no_speech' : null,
    words: [{ human: 10, machine: 100 }],
    shuffled: score === null ? null : score / 2,
    number: score === null ? null : { passed: score >= 70, misreadPassed: score >= 90 },
  };
}

it('refused recordings are counted, and children are separate from adults', () => {
  const trials = [trial('a', 7, 60), trial('a', 7, 90), trial('b', 30, 80), trial('c', 31, null)];
  const figures = learnerFigures(trials);
  expect(figures).toMatchObject({ recordings: 4, speakers: 3, refused: 1 });
  expect(figures.byAge.map(({ speakers, agreement }) => [speakers, agreement.compared])).toEqual([
    [1, 2],
    [1, 1],
  ]);
  expect(figures.shuffled.below.rate).toBeCloseTo(1 / 3, 12);
  expect(figures.numbers?.passed.rate).toBeCloseTo(2 / 3, 12);
  expect(figures.numbers?.misreadPassed.rate).toBeCloseTo(1 / 3, 12);
  expect(figures.own.quartiles).toEqual([70, 80, 85]);
  expect(figures.agreements.find(({ what }) => what === 'words')?.compared).toBe(3);
});
