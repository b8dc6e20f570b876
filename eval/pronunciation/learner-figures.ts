import { errorRate, type ErrorRate } from '../score.ts';
import { interpolatedQuantile, mean, pearson } from '@jyutsing/numeric/statistics';
import { OTHER_TEXT_MARK } from './analyze-recording.ts';
import type { LearnerTrial } from './learner-trials.ts';
import { bootstrapInterval, prepareSpearman, type Interval } from './statistics.ts';

/** Agreement of machine scores with human ratings. Intervals are by speaker. */
export type Agreement = {
  what: 'accuracy' | 'fluency' | 'total' | 'words';
  compared: number;
  pearson: { value: number | null; interval: Interval | null };
  spearman: { value: number | null; interval: Interval | null };
  /** Mean absolute difference of machine ÷ 10 and ratings 0–10. */
  meanAbsoluteError: number;
  /** Mean of machine ÷ 10 minus ratings; positive: the machine scores higher. */
  bias: number;
};

/** Quartiles of scores 0–100 of one kind. */
export type Spread = { compared: number; quartiles: [number, number, number] };

export type LearnerFigures = {
  recordings: number;
  speakers: number;
  refused: number;
  agreements: Agreement[];
  /** Agreement of the total score for children and adults. */
  byAge: { group: string; speakers: number; agreement: Agreement }[];
  own: Spread;
  shuffled: Spread & { below: ErrorRate };
  /** Sentences with a number that pass, and of the same with another number; null without any. */
  numbers: { compared: number; passed: ErrorRate; misreadPassed: ErrorRate } | null;
};

/** Speakers below this age count as children, because voices change at puberty. */
const ADULT_YEARS = 15;

/**
 * Published results of a large model (speechocean762, its own test set, so only for orientation)
 * and inter-rater agreement.
 */
export const LANDMARKS = {
  accuracy: { published: 0.718, raters: 0.79 },
  fluency: { published: 0.756, raters: 0.8 },
  total: { published: 0.743, raters: 0.85 },
} as const;

type Point = { speaker: string; human: number; machine: number };

export function learnerFigures(trials: readonly LearnerTrial[]): LearnerFigures {
  const scored = trials.flatMap((trial) => (trial.machine === null ? [] : [{ ...trial, machine: trial.machine }]));
  const pointsOf = (what: 'accuracy' | 'fluency' | 'total', among = scored): Point[] =>
    among.map(({ speaker, human, machine }) => ({ speaker, human: human[what], machine: machine[what] }));
  const wordPoints = scored.flatMap(({ speaker, words }) => words.map((word) => ({ speaker, ...word })));
  const shuffled = trials.flatMap(({ shuffled, speaker }) => (shuffled === null ? [] : [{ shuffled, speaker }]));
  const ages = [
    { group: `children (under ${ADULT_YEARS})`, among: scored.filter(({ ageYears }) => ageYears < ADULT_YEARS) },
    { group: 'adults and youths', among: scored.filter(({ ageYears }) => ageYears >= ADULT_YEARS) },
  ];
  return {
    recordings: trials.length,
    speakers: countSpeakers(trials),
    refused: trials.length - scored.length,
    agreements: [
      agreement('accuracy', pointsOf('accuracy')),
      agreement('fluency', pointsOf('fluency')),
      agreement('total', pointsOf('total')),
      agreement('words', wordPoints),
    ],
    byAge: ages
      .filter(({ among }) => among.length > 0)
      .map(({ group, among }) => ({
        group,
        speakers: countSpeakers(among),
        agreement: agreement('total', pointsOf('total', among)),
      })),
    own: spreadOf(scored.map(({ machine }) => machine.total)),
    shuffled: {
      ...spreadOf(shuffled.map((trial) => trial.shuffled)),
      below: errorRate(
        shuffled.map((trial) => ({
          errors: trial.shuffled < OTHER_TEXT_MARK ? 1 : 0,
          length: 1,
          speaker: trial.speaker,
        })),
      ),
    },
    numbers: numberFigures(trials),
  };
}

function numberFigures(trials: readonly LearnerTrial[]): LearnerFigures['numbers'] {
  const read = trials.flatMap(({ number, speaker }) => (number === null ? [] : [{ ...number, speaker }]));
  const shareOf = (what: 'passed' | 'misreadPassed') =>
    errorRate(read.map((trial) => ({ errors: trial[what] ? 1 : 0, length: 1, speaker: trial.speaker })));
  if (read.length === 0) return null;
  return { compared: read.length, passed: shareOf('passed'), misreadPassed: shareOf('misreadPassed') };
}

/** Correlations and errors of pairs of ratings 0–10 and machine scores 0–100. */
export function agreement(what: Agreement['what'], points: readonly Point[]): Agreement {
  const human = points.map((point) => point.human);
  const machine = points.map((point) => point.machine / 10);
  const speakers = [...new Set(points.map(({ speaker }) => speaker))];
  const groups = points.map(({ speaker }) => speakers.indexOf(speaker));
  const spearman = prepareSpearman(human, machine);
  const byDraw = (statistic: (weights: ArrayLike<number>) => number | null) =>
    bootstrapInterval(speakers.length, (draw) => statistic(groups.map((group) => draw[group]!)));
  const differences = machine.map((value, index) => value - human[index]!);
  return {
    what,
    compared: points.length,
    pearson: { value: pearson(human, machine), interval: byDraw((weights) => pearson(human, machine, weights)) },
    spearman: { value: spearman(), interval: byDraw(spearman) },
    meanAbsoluteError: mean(differences.map(Math.abs)),
    bias: mean(differences),
  };
}

/** Quartiles of scores. */
export function spreadOf(scores: readonly number[]): Spread {
  return {
    compared: scores.length,
    quartiles: [
      interpolatedQuantile(scores, 0.25),
      interpolatedQuantile(scores, 0.5),
      interpolatedQuantile(scores, 0.75),
    ],
  };
}

function countSpeakers(trials: readonly { speaker: string }[]): number {
  return new Set(trials.map(({ speaker }) => speaker)).size;
}
