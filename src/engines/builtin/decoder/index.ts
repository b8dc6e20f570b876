import type { Language } from '#contracts/transcript.ts';
import { assertPosteriors } from './labels.ts';
import { loadLanguageModel } from './language-model.ts';
import { createPhoneDecoder } from './phone-decoder.ts';
import { createSyllableDecoder } from './syllable-decoder.ts';
import type { AcousticLabels, DecodedSyllable, DecodedUnit, Posteriors } from './types.ts';
import { type DecoderWeights, WEIGHTS_OF } from './weights.ts';

export { type LabelsDescription, acousticLabels, symbolCount } from './labels.ts';
export type { AcousticLabels, DecodedSyllable, DecodedUnit, Posteriors } from './types.ts';

/** Which language, where its language model lies and what the acoustic model's columns mean. */
export type DecoderOptions = {
  language: Language;
  labels: AcousticLabels;
  /** Path of `language-model.bin`. */
  languageModelPath: string;
  /** Other weights than the tuned ones, for tuning. */
  weights?: DecoderWeights;
};

/** Turns acoustic posteriors into text. Synchronous, without state between calls. */
export type Decoder = {
  /**
   * The most probable text, a character (Chinese) or a word (English) at a time; empty for silence or for no frames.
   * Throws `engine_failed` for arrays of a wrong size.
   */
  decode(posteriors: Posteriors): DecodedUnit[];
  /** The syllables or phones as heard, without lexicon or language model; the same errors. */
  decodeUnits(posteriors: Posteriors): DecodedSyllable[];
};

/** Loads the language model. Throws `engine_unavailable` when it is missing, damaged or of another version. */
export function createDecoder(options: DecoderOptions): Decoder {
  const { language, labels, languageModelPath, weights = WEIGHTS_OF[language] } = options;
  const model = loadLanguageModel(languageModelPath);
  const search =
    language === 'english'
      ? createPhoneDecoder(labels, model, weights)
      : createSyllableDecoder(language, labels, model, weights);
  return {
    decode(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.decode(posteriors);
    },
    decodeUnits(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.decodeUnits(posteriors);
    },
  };
}
