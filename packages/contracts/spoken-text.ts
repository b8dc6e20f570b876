import type { Language } from './transcript.ts';

/** What follows a phrase: it decides the melody of its end and the pause after it. `none`: it runs on into the next piece. */
export type PhraseEnding = 'none' | 'comma' | 'statement' | 'question' | 'exclamation' | 'ellipsis';

/** One word to be said. */
export type SpokenWord = {
  /** As the text has it, without marks around it: what times are told of. Never empty. */
  written: string;
  /** The language in which it is said, which need not be that of the text. */
  language: Language;
  /** The same in words, where the text has digits or signs: `$12` → 十二蚊. What an engine that reads text is given. */
  spokenForm: string;
  /**
   * How it sounds: syllables of jyutping (tones 1–6) or of pinyin (`lv4` for lǜ, neutral tone 5, as spoken: sandhi done). For English
   * the phones of ARPAbet, with stress, and only where a reader could take the word for another; else empty, and the engine knows.
   * Also empty where nobody has looked yet: see `readings` of an engine's model.
   */
  reading: readonly string[];
};

export type SpokenPhrase = { words: readonly SpokenWord[]; ending: PhraseEnding };

/** A part of a text that is said in one breath: a sentence, or a part of a long one. Has at least one phrase with at least one word. */
export type SpokenPiece = {
  phrases: readonly SpokenPhrase[];
  /** The whole piece in words and with its marks. */
  spokenForm: string;
  /** False where a long sentence goes on in the next piece. */
  endsSentence: boolean;
};
