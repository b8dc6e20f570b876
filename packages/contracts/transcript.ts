export const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The values that a request may choose: a language, or its identification among all (`auto`) or
 * between Cantonese and Mandarin (`chinese`).
 */
export const LANGUAGE_CHOICES = [...LANGUAGES, 'auto', 'chinese'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/** The languages among which a choice leaves the identifier to decide. */
export const CANDIDATES: Readonly<Record<LanguageChoice, readonly Language[]>> = {
  cantonese: ['cantonese'],
  mandarin: ['mandarin'],
  english: ['english'],
  chinese: ['cantonese', 'mandarin'],
  auto: LANGUAGES,
};

/**
 * The smallest timed unit: one character of Chinese, one word of English. `reading` is the
 * recognized jyutping, pinyin or ARPAbet, `confidence` 0..1; null: the engine does not provide it.
 */
export type Word = {
  text: string;
  reading: string | null;
  startMs: number;
  endMs: number;
  confidence: number | null;
  /** The correction of this segment; absent when its text is the recognized one. */
  corrected?: Correction;
};

/**
 * Why fusion changed a word: `from` was recognized in its place; `term` of a corpus or the context
 * replaced it; null: another character that sounds like what was heard.
 */
export type Correction = { from: string; term: string | null };

/**
 * One syllable from the acoustic model alone, without language model. `alternatives` are best
 * first, at least one: readings in jyutping (`hoeng1`), probabilities 0..1 with a sum of at most 1.
 * Times are those of the recording.
 */
export type RecognizedSyllable = {
  startMs: number;
  endMs: number;
  alternatives: { reading: string; probability: number }[];
};

/**
 * A time span of speech. Segments are ordered by their beginnings, and only those of different
 * channels overlap. `words` is empty when the engine times only segments.
 */
export type Segment = {
  text: string;
  startMs: number;
  endMs: number;
  words: Word[];
  speaker: string | null;
  confidence: number | null;
  /** One minus the mean probability of a voice by the detector, 0..1; absent: it gives none. */
  noSpeech?: number;
};
