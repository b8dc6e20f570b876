import type { Language } from '@jyutsing/contracts/transcript';

/** Weights of the search. All scores are natural logarithms. */
export type DecoderWeights = {
  /** Weight of the acoustic score, below 1 because neighboring frames err together. */
  acousticScale: number;
  /**
   * Weight of the tone within the acoustic score: below 1 when the model is surer of tones than it
   * is right.
   */
  toneScale: number;
  /** Weight of the language model. */
  languageModelScale: number;
  /** Weight of how usual a reading is for its word. */
  readingScale: number;
  /** Bonus for every word: above 0 favors many short words, below 0 few long ones. */
  wordBonus: number;
  /** Bonus for every syllable or phone; compensates for its cost in the language model. */
  syllableBonus: number;
  /** Bonus for treating a weak slot as silence. */
  deletionPenalty: number;
  /** Number of histories kept at each moment. */
  beamWidth: number;
  /** Distance in nats from the best history beyond which others are dropped. */
  beamMargin: number;
  /** Largest number of words tried for one sequence of syllables, the most frequent first. */
  homophoneLimit: number;
  /** Margin below the best hypothesis of a range within which syllable sequences are looked up. */
  candidateMargin: number;
};

/**
 * Weights for Cantonese, tuned on training-side sentences; models/yue/language-model.md describes
 * how, and the cost of each weight.
 */
export const DECODER_WEIGHTS: DecoderWeights = {
  acousticScale: 1.6,
  toneScale: 0.6,
  languageModelScale: 1,
  readingScale: 1,
  wordBonus: -1,
  syllableBonus: 6,
  deletionPenalty: -2,
  beamWidth: 8,
  beamMargin: 10,
  homophoneLimit: 24,
  candidateMargin: 12,
};

/**
 * Weights for Mandarin, chosen on two dozen synthetic sentences with a half-trained acoustic model:
 * tune again with a better one.
 */
const MANDARIN_WEIGHTS: DecoderWeights = { ...DECODER_WEIGHTS, acousticScale: 1.2, toneScale: 0.8 };

/**
 * Weights for English, whose search ignores `toneScale`, `deletionPenalty` and `candidateMargin`.
 * They were chosen on a few dozen sentences of synthetic voices and learners with a half-trained
 * acoustic model: tune again with a better one.
 */
const ENGLISH_WEIGHTS: DecoderWeights = {
  ...DECODER_WEIGHTS,
  acousticScale: 0.8,
  languageModelScale: 0.6,
  wordBonus: 2,
  syllableBonus: 0.5,
  beamWidth: 250,
  beamMargin: 10,
};

export const WEIGHTS_OF: Readonly<Record<Language, DecoderWeights>> = {
  cantonese: DECODER_WEIGHTS,
  mandarin: MANDARIN_WEIGHTS,
  english: ENGLISH_WEIGHTS,
};
