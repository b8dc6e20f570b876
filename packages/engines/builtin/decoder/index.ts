import type { Language } from '@jyutsing/contracts/transcript';
import { assertPosteriors } from './labels.ts';
import { loadLanguageModel } from './language-model.ts';
import { createPhoneDecoder } from './phone-decoder.ts';
import { createSyllableDecoder } from './syllable-decoder.ts';
import type { AcousticLabels, Decoder } from './types.ts';
import { type DecoderWeights, WEIGHTS_OF } from './weights.ts';

export { type LabelsDescription, acousticLabels, symbolCount } from './labels.ts';
export type {
  AcousticLabels,
  DecodedSyllable,
  DecodedUnit,
  Decoder,
  SyllableAlternatives,
  Posteriors,
} from './types.ts';

/**
 * Settings of a decoder: the language, the path of its language model, and the meaning of the
 * acoustic model's columns.
 */
type DecoderOptions = {
  language: Language;
  labels: AcousticLabels;
  /** Path of `language-model.bin`. */
  languageModelPath: string;
  /** Weights to use in place of the default ones while they are tuned. */
  weights?: DecoderWeights;
};

/**
 * Loads the language model. Throws `engine_unavailable` when it is missing, damaged or of another
 * version.
 */
export function createDecoder(options: DecoderOptions): Decoder {
  const { language, labels, languageModelPath, weights = WEIGHTS_OF[language] } = options;
  const model = loadLanguageModel(languageModelPath);
  const search =
    language === 'english'
      ? withoutSyllables(createPhoneDecoder(labels, model, weights))
      : createSyllableDecoder(language, labels, model, weights);
  return {
    decode(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.decode(posteriors);
    },
    decodeWithAlternatives(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.decodeWithAlternatives(posteriors);
    },
    recognizeSyllables(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.recognizeSyllables(posteriors);
    },
    decodeUnits(posteriors) {
      assertPosteriors(posteriors, labels);
      return search.decodeUnits(posteriors);
    },
  };
}

function withoutSyllables(decoder: Pick<Decoder, 'decode' | 'decodeUnits'>): Decoder {
  return {
    ...decoder,
    decodeWithAlternatives: (posteriors) => ({ units: decoder.decode(posteriors), syllables: [] }),
    recognizeSyllables: () => [],
  };
}
