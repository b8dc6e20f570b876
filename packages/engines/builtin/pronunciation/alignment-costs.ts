/**
 * What departing from the text costs in an alignment, in nats. Reasoned from what each must outweigh: the acoustic model gives a sound
 * that it hears clearly 0.2 to 0.9 of a frame and leaves others 1e-3 to 1e-5, so that analysis a clear sound as none costs about 5.
 */
export type AlignmentCosts = {
  /** Another onset, or another rime, in the place of the expected one: together less than leaving a unit out and putting a sound in. */
  otherOnset: number;
  otherRime: number;
  /** An expected onset that is not heard at all. */
  noOnset: number;
  /** A unit left out: less than analysis a unit in silence, more than analysis one badly; and the next one after it. */
  omission: number;
  furtherOmission: number;
  /** A syllable put in: less than analysis a clear one as silence. */
  insertion: number;
  /** A consonant without a vowel put in: a breath, a slip. */
  fragment: number;
  /** Going back in the text, and for each unit gone back. */
  repetition: number;
  repetitionStep: number;
  /** A syllable where the text has a word of another language. */
  other: number;
};

export const ALIGNMENT_COSTS: AlignmentCosts = {
  otherOnset: 2.5,
  otherRime: 3,
  noOnset: 2,
  omission: 6,
  furtherOmission: 2.5,
  insertion: 3.3,
  fragment: 2.5,
  repetition: 2.5,
  repetitionStep: 0.3,
  other: 0.3,
};

/** Speakers go back by this many units at most. */
export const LONGEST_REPETITION = 8;
