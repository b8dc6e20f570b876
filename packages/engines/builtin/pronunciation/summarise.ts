import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';

/** What a summary is made of; scores 0–100. */
export type SpokenUnits = {
  /** Of every syllable that was said, in order. */
  spokenScores: readonly number[];
  /** How many syllables the text has. */
  expectedUnits: number;
  insertions: number;
  repetitions: number;
  fluencyScore: number;
};

export type Summary = { score: number; accuracyScore: number; integrityScore: number };

/** What a sound put in and a syllable said once more count for, in syllables: as much as half of one, and a quarter of one, that failed. */
const INSERTION_WEIGHT = 0.5;
const REPETITION_WEIGHT = 0.25;
/** How much of a Mandarin score is lost by not being fluent at all: nothing of one syllable's, the most from this many on. */
const FLUENCY_SHARE = 0.15;
const FLUENT_UNITS = 5;
/** A text of up to so many syllables is a word: one of them wrong is the word wrong. */
const WORD_UNITS = 3;

/**
 * `accuracyScore` is the mean score of what was said, `integrityScore` the percentage of the text that was said. Sounds put in and
 * repetitions lengthen the text by half and a quarter of a syllable each.
 * Cantonese: score = accuracyScore · said / (expected + ½ insertions + ¼ repetitions), which is the mean over the syllables of the
 * text, omitted ones counting 0. Mandarin: the same, times (1 − s + s · fluencyScore / 100) with s = 0.15 for texts of five syllables and
 * more, less for shorter ones and nothing for a single syllable, which can be neither fluent nor halting. A word, of up to three syllables, with a
 * syllable below the pass mark of the language scores at most half way between that syllable and the mark: it does not pass.
 */
export function summarise(language: SyllabicLanguage, said: SpokenUnits): Summary {
  const { spokenScores, expectedUnits, insertions, repetitions, fluencyScore } = said;
  const sum = spokenScores.reduce((total, score) => total + score, 0);
  const length = expectedUnits + INSERTION_WEIGHT * insertions + REPETITION_WEIGHT * repetitions;
  const content = Math.min(
    sum / length,
    expectedUnits > WORD_UNITS ? 100 : wordLimit(spokenScores, PASS_MARKS[language]),
  );
  const share = FLUENCY_SHARE * Math.min(1, (expectedUnits - 1) / (FLUENT_UNITS - 1));
  return {
    accuracyScore: spokenScores.length === 0 ? 0 : sum / spokenScores.length,
    integrityScore: (100 * spokenScores.length) / expectedUnits,
    score: language === 'cantonese' ? content : content * (1 - share + (share * fluencyScore) / 100),
  };
}

/** The most that a word can score for its worst syllable. */
function wordLimit(scores: readonly number[], passMark: number): number {
  const worst = Math.min(...scores, 100);
  return worst >= passMark ? 100 : (worst + passMark) / 2;
}
