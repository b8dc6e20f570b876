import type { AcousticLabels, DecodedCharacter, DecodedSyllable, Posteriors } from './types.ts';

export type { AcousticLabels, DecodedCharacter, DecodedSyllable, Posteriors } from './types.ts';

/** Where the language model lies and what the acoustic model's columns mean. */
export interface DecoderOptions {
  labels: AcousticLabels;
  /** Path of `language-model.bin`. */
  languageModelPath: string;
}

/** Turns acoustic posteriors into text. Synchronous, without state between calls. */
export interface Decoder {
  /** The most probable characters; empty for silence or for no frames. */
  decode(posteriors: Posteriors): DecodedCharacter[];
  /** The syllables as heard, without lexicon or language model. */
  decodeSyllables(posteriors: Posteriors): DecodedSyllable[];
}
