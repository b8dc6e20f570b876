import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import type { LexiconEntry, Sentence } from './corpora.ts';

/** One word of the decoder's vocabulary. */
export interface VocabularyWord {
  text: string;
  /** Smoothed frequency in the large body of text, never zero. */
  priorCount: number;
  /** Readings with probabilities that sum to 1. */
  readings: { syllables: string[]; probability: number }[];
}

export interface VocabularyOptions {
  /** Minimum count in the frequency list, unless the lexicon has the word. */
  minimumCount: number;
  /** Count of lexicon words that are not in the frequency list. */
  unseenCount: number;
  /** Maximum word length in characters. */
  maximumLength: number;
}

/** Rarer readings cause more confusions than they resolve. */
const MINIMUM_READING_SHARE = 0.004;
/** Weight of a lexicon reading in observed readings. */
const LEXICON_READING_WEIGHT = 3;

type ReadingWeights = Map<string, number>;

/**
 * Words of the frequency list, the lexicon and the training sentences with their readings. Words
 * only in the frequency list get dictionary readings; readings of characters are weighted by the
 * lexicon's shares and their frequency in the sentences.
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
    words.push({ text, priorCount: Math.max(count, options.unseenCount), readings: normalized(weights) });
  }
  return words;
}

function addReading(readings: Map<string, ReadingWeights>, word: string, syllables: string[], weight: number): void {
  const key = syllables.join(' ');
  const weights = readings.get(word) ?? new Map<string, number>();
  weights.set(key, (weights.get(key) ?? 0) + weight);
  readings.set(word, weights);
}

/**
 * Counts readings of characters, and of words that the corpus segments. Returns the observed words.
 */
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

function normalized(weights: ReadingWeights): VocabularyWord['readings'] {
  let total = 0;
  for (const weight of weights.values()) total += weight;
  const kept = [...weights].filter(([, weight]) => weight / total >= MINIMUM_READING_SHARE);
  return kept.map(([key, weight]) => ({ syllables: key.split(' '), probability: weight / total }));
}
