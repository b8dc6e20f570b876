/** A unit that the speaker may have meant by another one. */
export type MeantUnit = {
  unit: string;
  /** Natural logarithm of the probability of this. */
  logp: number;
  /** Tones of the next syllable that cause the change (tone sandhi); any tone when absent. */
  beforeTones?: readonly number[];
};

/** Parts of a syllable for comparing sounds. */
export type SyllableParts = { onset: string; nucleus: string; coda: string; tone: number };

/** Properties of a syllable-based language used by the search. Tones count from 1. */
export type SyllableLanguage = {
  /** Spells a recognized syllable in the usual orthography. */
  reading(onset: string, rime: string, tone: number): string;
  /** Spells a recognized syllable as a unit of the language model. */
  unit(onset: string, rime: string, tone: number): string;
  /** Splits a syllable; null when it is no syllable of the language. */
  parts(unit: string): SyllableParts | null;
  /** Returns other units that a recognized one may stand for. */
  meantBy(recognized: string): MeantUnit[];
  /** A tone that changes before itself (Mandarin: the third becomes the second). */
  dissimilation?: { meant: number; spoken: number };
};
