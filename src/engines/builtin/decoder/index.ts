import { characterConfidence, collectEvidence } from './confidence.ts';
import { bestSyllables } from './decode-syllables.ts';
import { loadLanguageModel } from './language-model.ts';
import { assertPosteriors } from './posteriors.ts';
import { findSlots } from './syllable-slots.ts';
import { buildLattice, syllableNumbers } from './syllable-lattice.ts';
import { frameTimes } from './timing.ts';
import type { AcousticLabels, DecodedCharacter, DecodedSyllable, Posteriors } from './types.ts';
import { DECODER_WEIGHTS, type DecoderWeights } from './weights.ts';
import { searchWords } from './word-search.ts';

export type { AcousticLabels, DecodedCharacter, DecodedSyllable, Posteriors } from './types.ts';

/** Where the language model lies and what the acoustic model's columns mean. */
export type DecoderOptions = {
  labels: AcousticLabels;
  /** Path of `language-model.bin`. */
  languageModelPath: string;
  /** Other weights than the tuned ones, for tuning. */
  weights?: DecoderWeights;
};

/** Turns acoustic posteriors into text. Synchronous, without state between calls. */
export type Decoder = {
  /** The most probable characters; empty for silence or for no frames. Throws `engine_failed` for arrays of a wrong size. */
  decode(posteriors: Posteriors): DecodedCharacter[];
  /** The syllables as heard, without lexicon or language model; the same errors. */
  decodeSyllables(posteriors: Posteriors): DecodedSyllable[];
};

/** Loads the language model. Throws `engine_unavailable` when it is missing, damaged or of another version. */
export function createDecoder(options: DecoderOptions): Decoder {
  const { labels, languageModelPath, weights = DECODER_WEIGHTS } = options;
  const model = loadLanguageModel(languageModelPath);
  const numbers = syllableNumbers(labels, model);
  return {
    decode(posteriors) {
      assertPosteriors(posteriors, labels);
      const { nodeCount, slots } = findSlots(posteriors, labels);
      const words = searchWords(buildLattice(nodeCount, slots, numbers, weights.toneScale), model, weights);
      const times = frameTimes(
        words.flatMap((word) => word.arcs),
        labels.frameMs,
        posteriors.frameCount,
      );
      const characters: DecodedCharacter[] = [];
      const confidences = collectEvidence(words, model, weights).map(characterConfidence);
      for (const { word, arcs } of words) {
        model.characters(word).forEach((char, index) => {
          const arc = arcs[index];
          const time = times[characters.length];
          if (arc === undefined || time === undefined) return;
          const jyutping = model.syllables[arc.syllable] ?? '';
          const confidence = confidences[characters.length] ?? 0;
          characters.push({ char, jyutping, ...time, confidence });
        });
      }
      return characters;
    },
    decodeSyllables(posteriors) {
      assertPosteriors(posteriors, labels);
      const { nodeCount, slots } = findSlots(posteriors, labels);
      return bestSyllables(nodeCount, slots, labels, posteriors.frameCount);
    },
  };
}
