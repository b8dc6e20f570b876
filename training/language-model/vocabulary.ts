import { textToJyutping } from '@jyutsing/text/text-to-jyutping';
import type { LexiconEntry, Sentence } from './corpora.ts';

/** One word that the decoder may write. */
export interface VocabularyWord {
  text: string;
  /** Occurrences in the large body of text; smoothed, never zero. */
  priorCount: number;
  /** Readings, probabilities summing to 1. */
  readings: { syllables: string[]; probability: number }[];
}

export interface VocabularyOptions {
  /** Words of the frequency list below this count are left out unless the lexicon has them. */
  minimumCount: number;
  /** Count given to words of the lexicon that the frequency list lacks. */
  unseenCount: number;
  /** Longest word in characters. */
  maximumLength: number;
}

/** Readings that are rarer than this share of a word's are not worth the confusion they bring. */
const MINIMUM_READING_SHARE = 0.004;
/** A lexicon reading weighs as much as this many observed ones. */
const LEXICON_READING_WEIGHT = 3;

type ReadingWeights = Map<string, number>;

/**
 * Words of the frequency list, the lexicon and the training sentences, each with its readings. A word only the
 * frequency list knows is read by dictionary; a character's readings are weighed by the lexicon's shares and by how
 * often the sentences use them.
 */
export function buildVocabulary(
  sentences: Sentence[],
  lexicon: LexiconEntry[],
  counts: Map<string, number>,
  options: VocabularyOptions,
): VocabularyWord[] {
  const readings = new Map<string, ReadingWeights>();
  for (const entry of lexicon) {
    addReading(readings, entry.word, entry.syllables, LEXICON_READING_WEIGHT * Math.max(entry.share, 0.005));
  }
  const seen = observeReadings(sentences, readings);
  const words: VocabularyWord[] = [];
  for (const text of new Set([...counts.keys(), ...readings.keys()])) {
    const length = [...text].length;
    const count = counts.get(text) ?? 0;
    const listed = readings.get(text);
    if (length > options.maximumLength) continue;
    if (length === 1 ? count === 0 && !seen.has(text) : listed === undefined && count < options.minimumCount) continue;
    const weights = listed ?? dictionaryReading(text);
    if (weights === null) continue;
    words.push({ text, priorCount: Math.max(count, options.unseenCount), readings: normalised(weights) });
  }
  return words;
}

function addReading(readings: Map<string, ReadingWeights>, word: string, syllables: string[], weight: number): void {
  const key = syllables.join(' ');
  const weights = readings.get(word) ?? new Map<string, number>();
  weights.set(key, (weights.get(key) ?? 0) + weight);
  readings.set(word, weights);
}

/** Counts the readings of characters, and of words the corpus itself divides. Returns what was seen. */
function observeReadings(sentences: Sentence[], readings: Map<string, ReadingWeights>): Set<string> {
  const seen = new Set<string>();
  for (const { pieces, syllables, source } of sentences) {
    let position = 0;
    for (const piece of pieces) {
      const chars = [...piece];
      const pieceSyllables = syllables.slice(position, position + chars.length);
      position += chars.length;
      chars.forEach((char, index) => {
        seen.add(char);
        addReading(readings, char, [pieceSyllables[index] ?? ''], 1);
      });
      if (source === 'hkcancor' && chars.length > 1) {
        seen.add(piece);
        addReading(readings, piece, pieceSyllables, 1);
      }
    }
  }
  return seen;
}

function dictionaryReading(text: string): ReadingWeights | null {
  const syllables: string[] = [];
  for (const { jyutping } of textToJyutping(text)) {
    if (jyutping === null) return null;
    syllables.push(jyutping);
  }
  return new Map([[syllables.join(' '), 1]]);
}

function normalised(weights: ReadingWeights): VocabularyWord['readings'] {
  let total = 0;
  for (const weight of weights.values()) total += weight;
  const kept = [...weights].filter(([, weight]) => weight / total >= MINIMUM_READING_SHARE);
  return kept.map(([key, weight]) => ({ syllables: key.split(' '), probability: weight / total }));
}
