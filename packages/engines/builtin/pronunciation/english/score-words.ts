import { repetitionFactor, timingFeatures } from '#engines/builtin/pronunciation/measure-fluency.ts';
import type { Comparison } from './compare-words.ts';
import type { Emissions } from './emissions.ts';
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
const OPEN_TEXT = 0.05;
/** Where the model is less sure of its frames than this it hears nothing in particular: then every text fits a little, and none was said. */
const SURE_P = 0.2;

/** A word that scores at least this was said. One that scores less was said in part: the half of it leaves a quarter. */
const SPOKEN_SCORE = 0.35;
/** How much the score of a lone word counts for accuracy beside that of the sentence; of two words a quarter of it, and so on. */
const LONE_WORD_SHARE = 2;
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

/** Scores a comparison. The parts were fitted by training/pronunciation/english/fit.ts. */
export function scoreWords(comparison: Comparison, model: ScoreModel, frameMs: number): WordScores {
  const phones = phoneScores(comparison, model);
  const heard = gate(sureness(comparison.emissions), SURE_P);
  const judged = comparison.words.map(({ said }, index) => {
    if (said === null) return { score: 0, said: 0 };
    const features = wordInSentence(comparison, phones, index, frameMs);
    return { score: predict(model.word, features), said: gate(predict(model.wordSaid, features), OPEN_WORD) * heard };
  });
  const agreement = predict(model.textSaid, agreementFeatures(comparison, phones));
  const textSaid = Math.sqrt(gate(agreement, OPEN_TEXT)) * heard;
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

/** How likely the likeliest symbol of a frame is, on average; silence is one. */
function sureness({ frameCount, width, p, bestPhone }: Emissions): number {
  let sum = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    sum += Math.max(p[frame * width] ?? 0, p[frame * width + (bestPhone[frame] ?? 0)] ?? 0);
  }
  return sum / Math.max(frameCount, 1);
}

function gate(share: number, open: number): number {
  return Math.min(1, share / open);
}

/**
 * The parts and the whole as shares: integrity is the share of the words that were said; the whole is (0.6 accuracy + 0.4 fluency) × integrity, with the
 * weights that come nearest to people's total scores. What is left out costs in proportion.
 */
export function summarise({ words, textSaid, accuracy, fluency }: WordScores) {
  if (words.length === 0) return { accuracy: 0, fluency: 0, integrity: 0, whole: 0 };
  const integrity = mean(words.map((score) => Math.min(1, score / SPOKEN_SCORE) ** 2));
  // The sentence was fitted on learners who meant the right words and said several: of a lone word its own score says more.
  const said = words.filter((score) => score > 0);
  const share = LONE_WORD_SHARE / words.length ** 2;
  const joined = (accuracy + mean(said) * textSaid * share) / (1 + share);
  const whole = (ACCURACY_SHARE * joined + (1 - ACCURACY_SHARE) * fluency) * integrity;
  return { accuracy: joined, fluency, integrity, whole };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
