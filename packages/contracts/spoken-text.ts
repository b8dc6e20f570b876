import type { Language } from './transcript.ts';

/**
 * Punctuation after a phrase, which sets its final intonation and the pause. `none`: it continues
 * in the next piece.
 */
export type PhraseEnding = 'none' | 'comma' | 'statement' | 'question' | 'exclamation' | 'ellipsis';

/** How words differ from the style of their speech. */
export type StyleChange = {
  /** Factor of the speed. */
  rate: number;
  /** Semitones above the pitch of the speech. */
  semitones: number;
  /** Factor of the amplitude; 0 is silent. */
  gain: number;
};

/** One word to speak. */
export type SpokenWord = {
  /** As written, without surrounding punctuation; word times refer to it. Never empty. */
  written: string;
  /** May differ from the language of the text. */
  language: Language;
  /** With digits and symbols written out (`$12` → 十二蚊): the input of engines that read text. */
  spokenForm: string;
  /**
   * Jyutping syllables (tones 1–6) or pinyin syllables (`lv4` for lǜ, neutral tone 5, sandhi
   * applied). For English, ARPAbet phones with stress for ambiguous words only, else empty: the
   * engine knows the rest. Empty as well for models whose `readings` is false.
   */
  reading: readonly string[];
  /** A word without one is spoken like the speech as a whole. */
  style?: StyleChange;
};

export type SpokenPhrase = { words: readonly SpokenWord[]; ending: PhraseEnding };

/** A sentence, or a part of a long one: at least one phrase with at least one word. */
export type SpokenPiece = {
  phrases: readonly SpokenPhrase[];
  /** The whole piece written out, with punctuation. */
  spokenForm: string;
  /** False when the sentence continues in the next piece. */
  endsSentence: boolean;
};
