/** What correction trades against what. All scores are natural logarithms. */
export type CorrectionWeights = {
  /** Weight of how well a syllable agrees with what was heard. */
  acousticScale: number;
  /** Weight of the language model. */
  languageModelScale: number;
  /** Added for every word: below 0 favours few long ones. */
  wordBonus: number;
  /** Added for every character that stays as it was written … */
  keep: number;
  /** … and this times the log-odds of its confidence. */
  keepByConfidence: number;
  /** Added for a word of the language model that changes anything: what was recognised was chosen by the same model. */
  changedWord: number;
  /** Added instead where the recogniser tells no confidence: it is another one, which knows more of the language. */
  keepOfOthers: number;
  /** How fast likeness falls with the distance of two syllables (`soundDistance`). */
  distanceScale: number;
  /** Logarithm of the likeness of two tones. */
  otherTone: number;
  /** How much of a syllable's evidence is what was heard, the rest being what was written: the least and the most. */
  leastTrust: number;
  mostTrust: number;
  /** Log-probability of a word that the language model does not know. */
  unknownWord: number;
  /** Log-probability of a term of weight 1 as such, and what is added for every syllable after the first. */
  term: number;
  termSyllable: number;
  /** What is added for every syllable after the first to the language model's own probability of a term. */
  knownTermSyllable: number;
  /** Added for a term of two syllables, which is heard by chance more easily than any other … */
  shortTerm: number;
  /** … and for every term, times the sum of its syllables' distances from what was heard. */
  termDistance: number;
  /** Added where a term stands that is one syllable or character longer or shorter than what was written. */
  lengthChange: number;
  /** Histories kept at each place, and how much worse than the best they may be. */
  beamWidth: number;
  beamMargin: number;
  /** Words tried for one sequence of syllables, the most frequent first. */
  homophoneLimit: number;
  /** Words of one stretch that are worse than its best by more than this, context apart, are not tried. */
  wordMargin: number;
};

/** Tuned on half of the sentences of eval/fusion/fusion-sentences.tsv; docs/measurements.md has what came out on the other half. */
export const CORRECTION_WEIGHTS: CorrectionWeights = {
  acousticScale: 1.8,
  languageModelScale: 1,
  wordBonus: -2,
  keep: 1.6,
  keepByConfidence: 0.5,
  changedWord: -1.5,
  keepOfOthers: 5,
  distanceScale: 20,
  otherTone: -1.8,
  leastTrust: 0.2,
  mostTrust: 0.9,
  unknownWord: -14,
  term: -7.6,
  termSyllable: 0.75,
  knownTermSyllable: 0.25,
  shortTerm: -1.5,
  termDistance: -2,
  lengthChange: -4.5,
  beamWidth: 6,
  beamMargin: 8,
  homophoneLimit: 16,
  wordMargin: 10,
};
