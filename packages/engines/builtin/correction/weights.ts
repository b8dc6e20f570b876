/** Weights of the correction. All scores are natural logarithms. */
export type CorrectionWeights = {
  /** Weight of the agreement with the recognized syllables. */
  acousticScale: number;
  /** Weight of the language model. */
  languageModelScale: number;
  /** Bonus for every word: a value below 0 favors few long words. */
  wordBonus: number;
  /** Bonus for every character that stays … */
  keep: number;
  /** … plus this times the log-odds of its confidence. */
  keepByConfidence: number;
  /** … plus this in numbers of several characters and the unit after them. */
  keepNumber: number;
  /**
   * Bonus for a changed word of the language model: the text was already chosen by the same model.
   */
  changedWord: number;
  /**
   * Replaces `keep` where the recognizer reports no confidence: such a recognizer is not the
   * built-in one, and has a better language model.
   */
  keepOfOthers: number;
  /** Decay of the similarity with the distance of two syllables (`soundDistance`). */
  distanceScale: number;
  /** Natural logarithm of the likeness of two tones. */
  otherTone: number;
  /**
   * Smallest and largest share of the recognized syllables in a syllable's evidence; the remaining
   * share is the written text's.
   */
  minTrust: number;
  maxTrust: number;
  /** Log-probability of a word unknown to the language model. */
  unknownWord: number;
  /** Log-probability of a term of weight 1, and the bonus for every syllable after the first. */
  term: number;
  termSyllable: number;
  /**
   * Bonus per syllable after the first, added to the language model's own probability of a term.
   */
  knownTermSyllable: number;
  /** Bonus for a term of two syllables, which matches by chance most easily … */
  shortTerm: number;
  /**
   * … and the bonus for every term, times the sum of its syllables' distances from the recognized
   * ones.
   */
  termDistance: number;
  /**
   * Bonus for every syllable of a term where another syllable was certainly recognized, and agrees
   * with the written character.
   */
  contradiction: number;
  /**
   * Bonus for a term that is one syllable or character longer or shorter than the text that it
   * replaces.
   */
  lengthChange: number;
  /** Number of histories kept at each position, and their largest distance from the best. */
  beamWidth: number;
  beamMargin: number;
  /** Largest number of words tried for one sequence of syllables, the most frequent first. */
  homophoneLimit: number;
  /**
   * Words of one stretch whose score without context is below the best by more than this are not
   * tried.
   */
  wordMargin: number;
};

/**
 * Tuned on half of the sentences of eval/fusion/fusion-sentences.tsv; docs/measurements.md has the
 * results of the other half.
 */
export const CORRECTION_WEIGHTS: CorrectionWeights = {
  acousticScale: 1.8,
  languageModelScale: 1,
  wordBonus: -2,
  keep: 1.6,
  keepByConfidence: 0.5,
  keepNumber: 4,
  changedWord: -1.5,
  keepOfOthers: 5,
  distanceScale: 20,
  otherTone: -1.8,
  minTrust: 0.2,
  maxTrust: 0.9,
  unknownWord: -14,
  term: -7.6,
  termSyllable: 0.75,
  knownTermSyllable: 0.25,
  shortTerm: -1.5,
  termDistance: -2,
  contradiction: -4,
  lengthChange: -4.5,
  beamWidth: 6,
  beamMargin: 8,
  homophoneLimit: 16,
  wordMargin: 10,
};
