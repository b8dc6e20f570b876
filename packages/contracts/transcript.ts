export const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a request may ask for: a language, or the decision left to the recogniser. */
export const LANGUAGE_CHOICES = [...LANGUAGES, 'auto'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/**
 * The smallest timed unit: one character of Chinese, one word of English.
 * `reading` is jyutping, pinyin or ARPAbet as heard; `confidence` is 0..1; null means that the engine does not say.
 */
export type Word = {
  text: string;
  reading: string | null;
  startMs: number;
  endMs: number;
  confidence: number | null;
};

/**
 * One syllable as the acoustic model heard it, before any word or sentence was considered. `alternatives` are best first, at least
 * one; readings are jyutping (`hoeng1`), probabilities 0..1 with a sum of at most 1. Times are those of the recording.
 */
export type RecognizedSyllable = {
  startMs: number;
  endMs: number;
  alternatives: { reading: string; probability: number }[];
};

/** One stretch of speech. Segments come in order and never overlap. `words` is empty when the engine times only segments. */
export type Segment = {
  text: string;
  startMs: number;
  endMs: number;
  words: Word[];
  speaker: string | null;
  confidence: number | null;
};

/** A whole recording, heard. */
export type Transcript = {
  language: Language;
  durationMs: number;
  segments: Segment[];
};
