import { CANTONESE } from './cantonese.ts';
import { characterConfidence, collectEvidence } from './confidence.ts';
import { bestSyllables, syllableAlternatives } from './decode-syllables.ts';
import type { LanguageModel } from './language-model.ts';
import { MANDARIN } from './mandarin.ts';
import { buildLattice, syllableNumbers, withStandIns } from './syllable-lattice.ts';
import { findSlots, type Slot } from './syllable-slots.ts';
import { frameTimes } from './timing.ts';
import type { AcousticLabels, DecodedUnit, Decoder, SyllableAlternatives, SyllabicLanguage } from './types.ts';
import type { DecoderWeights } from './weights.ts';
import { type FoundWord, findWords, searchWords } from './word-search.ts';

/** Decodes a syllable-based language; see `Decoder`. Posteriors must have the right sizes. */
export function createSyllableDecoder(
  name: SyllabicLanguage,
  labels: AcousticLabels,
  model: LanguageModel,
  weights: DecoderWeights,
): Decoder {
  const language = { cantonese: CANTONESE, mandarin: MANDARIN }[name];
  const numbers = syllableNumbers(labels, model, language);
  type Cut = { nodeCount: number; slots: Slot[] };
  const toCharacters = ({ nodeCount, slots }: Cut, frameCount: number): DecodedUnit[] => {
    const lattice = buildLattice(nodeCount, slots, numbers, weights.toneScale);
    const words = findWords(lattice, model, weights) ?? searchWords(withStandIns(lattice, numbers), model, weights);
    return charactersOf(words, frameCount, labels, model, weights);
  };
  const toAlternatives = (cut: Cut, frameCount: number): SyllableAlternatives[] =>
    syllableAlternatives({ ...cut, frameCount }, labels, numbers, weights.toneScale);
  return {
    decode: (posteriors) => toCharacters(findSlots(posteriors, labels), posteriors.frameCount),
    recognizeSyllables: (posteriors) => toAlternatives(findSlots(posteriors, labels), posteriors.frameCount),
    decodeWithAlternatives(posteriors) {
      const cut = findSlots(posteriors, labels);
      const { frameCount } = posteriors;
      return { units: toCharacters(cut, frameCount), syllables: toAlternatives(cut, frameCount) };
    },
    decodeUnits(posteriors) {
      const { nodeCount, slots } = findSlots(posteriors, labels);
      return bestSyllables(nodeCount, slots, labels, numbers, posteriors.frameCount);
    },
  };
}

function charactersOf(
  words: readonly FoundWord[],
  frameCount: number,
  labels: AcousticLabels,
  model: LanguageModel,
  weights: DecoderWeights,
): DecodedUnit[] {
  const times = frameTimes(
    words.flatMap((word) => word.arcs),
    labels.frameMs,
    frameCount,
  );
  const confidences = collectEvidence(words, model, weights).map(characterConfidence);
  const characters: DecodedUnit[] = [];
  for (const { word, arcs } of words) {
    model.characters(word).forEach((text, index) => {
      const arc = arcs[index];
      const time = times[characters.length];
      if (arc === undefined || time === undefined) return;
      const reading = model.syllables[arc.syllable] ?? '';
      const confidence = confidences[characters.length] ?? 0;
      characters.push({ text, reading, ...time, confidence });
    });
  }
  return characters;
}
