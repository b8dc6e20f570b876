import { mean } from '@jyutsing/numeric/statistics';
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

/** Scores as shares, 0–1. */
export type WordScores = {
  /** Scores by word of the text and phone; empty for omitted words. */
  phones: number[][];
  /** Scores by word; 0 for omitted words. */
  words: number[];
  /** Scores by word without the gates. */
  ungated: number[];
  /** Probability that this text was read, not another. */
  textSpoken: number;
  accuracy: number;
  fluency: number;
};

/**
 * Probabilities of having been spoken above which a word or a text is judged by its pronunciation
 * alone. They are low: the gates reject other texts, not bad pronunciation.
 */
const OPEN_WORD = 0.1;
const OPEN_TEXT = 0.05;
/**
 * Mean probability of the best symbols below which the model recognizes nothing: every text fits
 * slightly then, and none counts as read.
 */
const SURE_P = 0.2;

/**
 * Score from which on a word counts as spoken. A lower one counts as spoken in part: half the score
 * leaves a quarter.
 */
const SPOKEN_SCORE = 0.35;
/**
 * Weight of a single word's score in the accuracy, beside that of the sentence; two words have a
 * quarter of it, and so on.
 */
const LONE_WORD_SHARE = 2;
/**
 * Lead of another number, as a difference of natural logarithms, at which a number counts as half
 * said, and how fast it does so. Chosen on learners reading numbers in and out of their texts
 * (models/eng/README.md).
 */
const LIKELY_LEAD = 3;
const LEAD_STEEPNESS = 2;
/** Weight of accuracy in the total; fluency has the remaining weight. */
const ACCURACY_SHARE = 0.6;

export function phoneScores(comparison: Comparison, model: ScoreModel): number[][] {
  return comparison.words.map(({ spoken }) =>
    (spoken?.phones ?? []).map((phone) => predict(model.phone, phoneFeatures(phone))),
  );
}

/** Returns the features of a spoken word in its sentence. */
export function wordInSentence(
  comparison: Comparison,
  scores: readonly (readonly number[])[],
  index: number,
  frameMs: number,
): number[] {
  const word = comparison.words[index];
  const features = word === undefined ? [] : wordFeatures(word, scores[index] ?? [], frameMs);
  return [...features, ...agreementFeatures(comparison, scores)];
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
  const clarity = gate(sureness(comparison.emissions), SURE_P);
  const judged = comparison.words.map(({ spoken }, index) => {
    if (spoken === null) return { score: 0, gated: 0 };
    const features = wordInSentence(comparison, phones, index, frameMs);
    const score = predict(model.word, features) * shareOfNumber(spoken.rivalLead);
    return { score, gated: score * gate(predict(model.wordSaid, features), OPEN_WORD) * clarity };
  });
  const agreement = predict(model.textSaid, agreementFeatures(comparison, phones));
  const textSpoken = Math.sqrt(gate(agreement, OPEN_TEXT)) * clarity;
  const features = sentenceFeatures(
    comparison,
    phones,
    judged.map(({ score }) => score),
  );
  return {
    phones,
    words: judged.map(({ gated }) => gated),
    ungated: judged.map(({ score }) => score),
    textSpoken,
    accuracy: predict(model.accuracy, features) * textSpoken,
    fluency: predict(model.fluency, features) * textSpoken * repetitionFactor(spokenTiming(comparison)),
  };
}

/**
 * Returns the feature of the sentence's length, because longer sentences are harder for learners.
 * It is clipped to the fitted range of three to twelve words.
 */
function lengthFeature(words: number): number {
  return Math.log(Math.min(Math.max(words, 3), 12));
}

/**
 * Returns the mean probability of the most probable symbol of a frame; silence is one of the
 * symbols.
 */
function sureness({ frameCount, width, p, bestPhone }: Emissions): number {
  let sum = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    sum += Math.max(p[frame * width] ?? 0, p[frame * width + (bestPhone[frame] ?? 0)] ?? 0);
  }
  return sum / Math.max(frameCount, 1);
}

/** The share of a score that is left where another number may have been said. */
function shareOfNumber(lead: number): number {
  return 1 / (1 + Math.exp(LEAD_STEEPNESS * (lead - LIKELY_LEAD)));
}

function gate(share: number, open: number): number {
  return Math.min(1, share / open);
}

/**
 * Combines the parts as shares: integrity is the share of spoken words; the total is (0.6 accuracy
 * + 0.4 fluency) × integrity, with the weights closest to human total scores. Omissions cost in
 * proportion.
 */
export function summarize({ words, textSpoken, accuracy, fluency }: WordScores) {
  if (words.length === 0) return { accuracy: 0, fluency: 0, integrity: 0, total: 0 };
  const integrity = mean(words.map((score) => Math.min(1, score / SPOKEN_SCORE) ** 2));
  // The sentence model was fitted on learners reading several right words: the score of a single
  // word is more reliable than the sentence's.
  const spoken = words.filter((score) => score > 0);
  const share = LONE_WORD_SHARE / words.length ** 2;
  const joined = (accuracy + mean(spoken, 0) * textSpoken * share) / (1 + share);
  const total = (ACCURACY_SHARE * joined + (1 - ACCURACY_SHARE) * fluency) * integrity;
  return { accuracy: joined, fluency, integrity, total };
}
