import { repetitionFactor, timingFeatures } from '#engines/builtin/pronunciation/measure-fluency.ts';
import type { Comparison } from './compare-words.ts';
import {
  agreementFeatures,
  phoneFeatures,
  rhythmFeatures,
  spokenTiming,
  weakestWords,
  wordFeatures,
} from './features.ts';
import { predict, type ScoreModel } from './score-model.ts';

/** Shares, 0–1, of everything that is judged. */
export type WordScores = {
  /** By word of the text and phone; empty for words that were left out. */
  phones: number[][];
  /** By word; 0 for words that were left out. */
  words: number[];
  /** The same, as if each of them were surely meant. */
  ungated: number[];
  /** Whether the text was read at all, rather than another. */
  textSaid: number;
  accuracy: number;
  fluency: number;
};

/**
 * Probabilities of having been said from which on a word or a text is judged by how it was said alone. Low ones: gates are for who reads something
 * else, not for who reads badly.
 */
const OPEN_WORD = 0.1;
const OPEN_TEXT = 0.03;

/** A word that scores at least this was said; less is another word, or nothing that anybody would recognise. */
export const SAID_SCORE = 0.35;
/** How much accuracy counts for the whole; the rest is fluency. */
const ACCURACY_SHARE = 0.6;

export function phoneScores(comparison: Comparison, model: ScoreModel): number[][] {
  return comparison.words.map(({ said }) =>
    (said?.phones ?? []).map((phone) => predict(model.phone, phoneFeatures(phone))),
  );
}

/** Features of a word that was said, in its sentence. */
export function wordInSentence(
  comparison: Comparison,
  scores: readonly (readonly number[])[],
  index: number,
  frameMs: number,
): number[] {
  const word = comparison.words[index];
  const own = word === undefined ? [] : wordFeatures(word, scores[index] ?? [], frameMs);
  return [...own, ...agreementFeatures(comparison, scores)];
}

export function sentenceFeatures(
  comparison: Comparison,
  scores: readonly (readonly number[])[],
  words: readonly number[],
): number[] {
  const timing = spokenTiming(comparison);
  return [
    ...agreementFeatures(comparison, scores),
    ...weakestWords(words),
    ...timingFeatures(timing, 'english'),
    ...rhythmFeatures(comparison),
    lengthFeature(words.length),
  ];
}

/** Scores a comparison. See models/eng/pronunciation.md for how the parts were fitted. */
export function scoreWords(comparison: Comparison, model: ScoreModel, frameMs: number): WordScores {
  const phones = phoneScores(comparison, model);
  const judged = comparison.words.map(({ said }, index) => {
    if (said === null) return { score: 0, said: 0 };
    const features = wordInSentence(comparison, phones, index, frameMs);
    return { score: predict(model.word, features), said: gate(predict(model.wordSaid, features), OPEN_WORD) };
  });
  const textSaid = Math.sqrt(gate(predict(model.textSaid, agreementFeatures(comparison, phones)), OPEN_TEXT));
  const features = sentenceFeatures(
    comparison,
    phones,
    judged.map(({ score }) => score),
  );
  return {
    phones,
    words: judged.map(({ score, said }) => score * said),
    ungated: judged.map(({ score }) => score),
    textSaid,
    accuracy: predict(model.accuracy, features) * textSaid,
    fluency: predict(model.fluency, features) * textSaid * repetitionFactor(spokenTiming(comparison)),
  };
}

/** Long sentences are harder for learners. What was fitted on three to twelve words says nothing of more. */
function lengthFeature(words: number): number {
  return Math.log(Math.min(Math.max(words, 3), 12));
}

function gate(share: number, open: number): number {
  return Math.min(1, share / open);
}

/**
 * The parts and the whole as shares: integrity is the share of the words that were said; the whole is (0.6 accuracy + 0.4 fluency) × integrity, with the
 * weights that come nearest to people's total scores. What is left out costs in proportion.
 */
export function summarise({ words, accuracy, fluency }: WordScores) {
  const integrity = words.filter((score) => score >= SAID_SCORE).length / Math.max(words.length, 1);
  return {
    accuracy,
    fluency,
    integrity,
    whole: (ACCURACY_SHARE * accuracy + (1 - ACCURACY_SHARE) * fluency) * integrity,
  };
}
