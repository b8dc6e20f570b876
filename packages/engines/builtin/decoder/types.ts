import type { Language } from '@jyutsing/contracts/transcript';

/** Languages recognized as syllables of onset, rime and tone; English is recognized as phones. */
export type SyllabicLanguage = Exclude<Language, 'english'>;

/**
 * Meaning of the acoustic model's output columns. Symbol columns are, in this order: the CTC blank
 * (0), every onset, every rime (without tone; the same letters may be in both lists), every phone.
 * A language has either onsets, rimes and tones (a syllable without an onset has no onset symbol)
 * or phones. `acousticLabels` makes it.
 */
export interface AcousticLabels {
  /** Length of one frame, in milliseconds. */
  frameMs: number;
  /** Onsets in column order, the first one in column 1. */
  onsets: readonly string[];
  /** Rimes in column order, the first one in column 1 + onsets.length. */
  rimes: readonly string[];
  /**
   * Tone columns: 6 for Cantonese, 5 for Mandarin (the last is the neutral tone), 0 for a language
   * without.
   */
  tones: number;
  /**
   * ARPAbet phones in column order, the first one in column 1; empty for a syllable-based language.
   */
  phones: readonly string[];
}

/**
 * Output of the acoustic model for one utterance: natural logarithms, row-major, one row a frame.
 */
export interface Posteriors {
  frameCount: number;
  /** frameCount × `symbolCount(labels)`, log-softmax over each row. */
  symbolLogp: Float32Array;
  /** frameCount × tones, log-softmax over each row; empty for a language without tones. */
  toneLogp: Float32Array;
}

/**
 * One piece of the transcript: a Chinese character, or an English word. Times count from the first
 * frame.
 */
export interface DecodedUnit {
  /**
   * One Hong Kong Traditional or Simplified character, or a word as the language model spells it.
   */
  text: string;
  /**
   * The reading by which it was recognized: `hoeng1`, `xiang1`, or phones with a space between (`HH
   * AX L OW`).
   */
  reading: string;
  startMs: number;
  endMs: number;
  /** Estimated probability that the text is right, 0 to 1. */
  confidence: number;
}

/** A range of audio with a syllable and its alternatives, before the lexicon and language model. */
export interface SyllableAlternatives {
  startMs: number;
  endMs: number;
  /**
   * Jyutping or pinyin with probabilities, the most probable first; at least one, with a sum of at
   * most 1.
   */
  alternatives: { reading: string; probability: number }[];
}

/** A syllable or phone recognized without lexicon and language model. */
export interface DecodedSyllable {
  /** The syllable or phone: `gwong2`, `zhong1`, `AA`. */
  reading: string;
  /** Onset of the syllable; empty for the zero onset and for a phone. */
  onset: string;
  /**
   * Rime of the syllable in the acoustic model's spelling (Mandarin `van` for yuan), or the phone.
   */
  rime: string;
  /** Tone 1 to 6 (Cantonese), 1 to 5 (Mandarin); null for a phone. */
  tone: number | null;
  startMs: number;
  endMs: number;
  /** Posterior probability of onset, rime and tone together, or of the phone, 0 to 1. */
  confidence: number;
  /** Posterior probability of the tone alone, 0 to 1; null for a phone. */
  toneConfidence: number | null;
}

/** Turns acoustic posteriors into text, synchronously and without state between calls. */
export type Decoder = {
  /**
   * Returns the most probable text by character (Chinese) or word (English); empty for silence or
   * for no frames. Throws `engine_failed` for arrays of a wrong size.
   */
  decode(posteriors: Posteriors): DecodedUnit[];
  /**
   * Decodes like `decode` and returns the alternatives of every syllable too, at little extra cost;
   * none for a phone-based language.
   */
  decodeWithAlternatives(posteriors: Posteriors): { units: DecodedUnit[]; syllables: SyllableAlternatives[] };
  /**
   * Returns the alternatives of every syllable; empty for a phone-based language. Throws like
   * `decode`.
   */
  recognizeSyllables(posteriors: Posteriors): SyllableAlternatives[];
  /** Returns syllables or phones without lexicon and language model. Throws like `decode`. */
  decodeUnits(posteriors: Posteriors): DecodedSyllable[];
};
