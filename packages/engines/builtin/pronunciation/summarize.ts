import { mean, sum } from '@jyutsing/numeric/statistics';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';

/** Input of a summary; scores 0–100. */
type SpokenUnits = {
  /** Scores of the spoken syllables, in order. */
  spokenScores: readonly number[];
  /** Number of syllables in the text. */
  expectedUnits: number;
  insertions: number;
  repetitions: number;
  fillers: number;
  fluencyScore: number;
};

export type Summary = { score: number; accuracyScore: number; integrityScore: number };

/**
 * Weights of an insertion, a repetition and a filler, in syllables: half, a quarter and a twentieth
 * of a failed syllable.
 */
const INSERTION_WEIGHT = 0.5;
const REPETITION_WEIGHT = 0.25;
const FILLER_WEIGHT = 0.05;
/**
 * Share of a Mandarin score that depends on fluency: zero for one syllable, rising to the maximum
 * at this many.
 */
const FLUENCY_SHARE = 0.15;
const FLUENT_UNITS = 5;
/**
 * Largest number of syllables of a text that counts as one word, which is wrong if one of them is.
 */
const WORD_UNITS = 3;
/**
 * Pass mark at which scores are averaged: with a lower one the mean would tolerate more wrong
 * syllables, three of ten with 70.
 */
const MEAN_MARK = PASS_MARKS.cantonese;

/**
 * Computes the summary. `accuracyScore` is the mean score of the spoken syllables, `integrityScore`
 * the percentage of the text that was spoken. Insertions, repetitions and fillers lengthen the text
 * by a half, a quarter and a twentieth of a syllable each. Cantonese: score = accuracyScore ·
 * spoken / (expected + ½ insertions + ¼ repetitions + 0.05 fillers), which is the mean over the
 * syllables of the text, omitted ones counting 0. Mandarin: the same, with scores on the scale of
 * Cantonese for the mean, times (1 − s + s · fluencyScore / 100) with s = 0.15 for texts of five
 * syllables and more, less for shorter ones and 0 for a single syllable, which has no fluency. A
 * word of up to three syllables with one below the pass mark scores at most half way between that
 * syllable and the mark: it does not pass.
 */
export function summarize(language: SyllabicLanguage, spoken: SpokenUnits): Summary {
  const { spokenScores, expectedUnits, insertions, repetitions, fillers, fluencyScore } = spoken;
  const mark = PASS_MARKS[language];
  const compared = spokenScores.map((score) => rescale(score, mark, MEAN_MARK));
  const added = INSERTION_WEIGHT * insertions + REPETITION_WEIGHT * repetitions + FILLER_WEIGHT * fillers;
  const length = expectedUnits + added;
  const average = sum(compared) / length;
  const content = expectedUnits > WORD_UNITS ? average : Math.min(average, wordLimit(compared));
  const passing = rescale(content, MEAN_MARK, mark);
  const share = FLUENCY_SHARE * Math.min(1, (expectedUnits - 1) / (FLUENT_UNITS - 1));
  return {
    accuracyScore: mean(spokenScores, 0),
    integrityScore: (100 * spokenScores.length) / expectedUnits,
    score: language === 'cantonese' ? passing : passing * (1 - share + (share * fluencyScore) / 100),
  };
}

/** Moves the mark of a scale, linearly on both sides of it; 0 and 100 stay. */
function rescale(score: number, from: number, to: number): number {
  return score < from ? (score * to) / from : 100 - ((100 - score) * (100 - to)) / (100 - from);
}

/** Returns the highest score of a word with this worst syllable. */
function wordLimit(scores: readonly number[]): number {
  const worst = Math.min(...scores, 100);
  return worst >= MEAN_MARK ? 100 : (worst + MEAN_MARK) / 2;
}
