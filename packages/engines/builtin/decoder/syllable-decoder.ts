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
import { arcsOfPart, type FoundWord, findWords, searchWords } from './word-search.ts';

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
  const parts = words.flatMap((word) => {
    const texts = model.parts(word.word);
    return texts.map((text, place) => ({ text, arcs: arcsOfPart(word, place, texts.length) }));
  });
  const times = frameTimes(
    parts.map(({ arcs }) => ({ startFrame: arcs[0]?.startFrame ?? 0, endFrame: arcs.at(-1)?.endFrame ?? 0 })),
    labels.frameMs,
    frameCount,
  );
  const confidences = collectEvidence(words, model, weights).map(characterConfidence);
  return parts.map(({ text, arcs }, index) => ({
    text,
    reading: arcs.map(({ syllable }) => model.syllables[syllable] ?? '').join(' '),
    ...(times[index] ?? { startMs: 0, endMs: 0 }),
    confidence: confidences[index] ?? 0,
  }));
}
