import { mean, pearson } from '@jyutsing/numeric/statistics';
import type { ScoreModel } from '#packages/engines/builtin/pronunciation/english/score-model.ts';
import { scoreWords, summarize } from '#packages/engines/builtin/pronunciation/english/score-words.ts';
import { judgedPhones, judgedWord, type Trial } from './fit-models.ts';

/** Agreement of scores with ratings (Pearson's correlation), and scores of wrong texts. */
export function figuresOf(trials: readonly Trial[], model: ScoreModel, frameMs: number) {
  const scored = trials.map((trial) => {
    const scores = scoreWords(trial.comparison, model, frameMs);
    return { ...trial, scores, summary: summarize(scores) };
  });
  const right = scored.filter(({ kind }) => kind === 'right');
  const other = scored.filter(({ kind }) => kind === 'other');
  const exchanged = scored.filter(({ kind, wordIndex }) => kind === 'exchanged' && wordIndex >= 0);
  const words: [scored: number, judged: number][] = [];
  const phones: [scored: number, judged: number][] = [];
  for (const { learner, comparison, scores } of right) {
    comparison.words.forEach(({ columns, spoken }, index) => {
      const judged = judgedWord(learner, comparison, index);
      if (judged === undefined) return;
      words.push([scores.words[index] ?? 0, judged.accuracy]);
      if (spoken === null) return;
      judgedPhones(judged, columns).forEach((quality, at) => {
        if (quality !== null) phones.push([scores.phones[index]?.[at] ?? 0, quality]);
      });
    });
  }
  return {
    sentences: right.length,
    correlation: {
      accuracy: of(right.map(({ summary, learner }) => [summary.accuracy, learner.accuracy])),
      fluency: of(right.map(({ summary, learner }) => [summary.fluency, learner.fluency])),
      total: of(right.map(({ summary, learner }) => [summary.total, learner.total])),
      words: of(words),
      phones: of(phones),
    },
    meanScore: round(
      mean(
        right.map(({ summary }) => summary.total),
        0,
      ),
    ),
    meanTotalOfPeople: round(
      mean(
        right.map(({ learner }) => learner.total),
        0,
      ),
    ),
    otherTextBelow40: below(
      other.map(({ summary }) => summary.total),
      0.4,
    ),
    exchangedWordBelow60: below(
      exchanged.map(({ scores, wordIndex }) => scores.words[wordIndex] ?? 0),
      0.6,
    ),
    rightWordBelow60: below(
      words.map(([score]) => score),
      0.6,
    ),
  };
}

function of(pairs: readonly [scored: number, judged: number][]): number {
  return correlation(
    pairs.map(([score]) => score),
    pairs.map(([, judged]) => judged),
  );
}

function below(shares: readonly number[], mark: number): number {
  return round(shares.filter((share) => share < mark).length / Math.max(shares.length, 1));
}

/** Pearson's correlation, to three digits. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  return round(pearson(a, b) ?? Number.NaN);
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
