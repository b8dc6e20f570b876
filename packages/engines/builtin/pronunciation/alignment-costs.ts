/**
 * Costs of deviations from the text in an alignment, in nats. They follow from what each must
 * outweigh: the acoustic model gives a clear sound 0.2 to 0.9 of a frame and others 1e-3 to 1e-5,
 * so ignoring a clear sound costs about 5.
 */
export type AlignmentCosts = {
  /**
   * Cost of another onset or rime instead of the expected one: together cheaper than an omission
   * plus an insertion.
   */
  otherOnset: number;
  otherRime: number;
  /** Cost of a missing onset. */
  noOnset: number;
  /**
   * Costs of an omitted unit, and of the next one after it: much dearer than a badly pronounced
   * one, because the model hardly responds to some sounds of voices that it does not know.
   */
  omission: number;
  furtherOmission: number;
  /** Cost of an inserted syllable: cheaper than treating a clear one as silence. */
  insertion: number;
  /** Cost of an inserted consonant without a vowel: a breath, a slip. */
  fragment: number;
  /** Costs of going back in the text, and of each unit that is gone back. */
  repetition: number;
  repetitionStep: number;
  /** Cost of a syllable where the text has a word of another language. */
  other: number;
};

export const ALIGNMENT_COSTS: AlignmentCosts = {
  otherOnset: 2.5,
  otherRime: 3,
  noOnset: 2,
  omission: 9,
  furtherOmission: 5,
  insertion: 3.3,
  fragment: 2.5,
  repetition: 2.5,
  repetitionStep: 0.3,
  other: 0.3,
};

/** Largest number of units that speakers go back. */
export const MAX_REPETITION = 8;
