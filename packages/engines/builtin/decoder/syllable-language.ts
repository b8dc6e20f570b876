/** A unit that may have been meant by a speaker who says another. */
export type MeantUnit = {
  unit: string;
  /** Natural logarithm of how probable that is. */
  logp: number;
  /** Tones of the following syllable that make it so (tone sandhi); everywhere when left out. */
  beforeTones?: readonly number[];
};

/** A syllable as far as likeness of sound goes. */
export type SyllableParts = { onset: string; nucleus: string; coda: string; tone: number };

/** What the search must know of a language of syllables. Tones count from 1. */
export type SyllableLanguage = {
  /** What was heard, as people write it. */
  reading(onset: string, rime: string, tone: number): string;
  /** What was heard, as the language model's units spell it. */
  unit(onset: string, rime: string, tone: number): string;
  /** Null when it is no syllable of the language. */
  parts(unit: string): SyllableParts | null;
  /** Other units that may be meant by one that is heard. */
  meantBy(heard: string): MeantUnit[];
  /** The tone that is spoken as another one before itself (Mandarin: the third as the second). */
  dissimilation?: { meant: number; spoken: number };
};
