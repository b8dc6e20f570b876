import { isClauseMark, isSimplifiedWord } from './corpora-cmn.ts';
import type { NamedModel } from './named-model.ts';
import type { WeighedReading } from './pinyin-readings.ts';
import type { VocabularyWord } from './vocabulary.ts';

export interface MandarinVocabularyOptions {
  /** Maximum number of words, by probability. */
  size: number;
  /** Maximum word length in characters. */
  maximumLength: number;
  /** Weight of the trigram model's unigrams relative to jieba's counts. */
  trigramShare: number;
  /** Minimum share of a reading among those of a word. */
  minimumReadingShare: number;
}

/** Scale of counts: a word with probability one would have this count. */
const PRIOR_SCALE = 1e9;

/**
 * The likeliest words of open-gram and jieba's dictionary and all recorded words, sorted by
 * descending probability after the boundary (word 0).
 */
export function buildMandarinVocabulary(
  trigrams: NamedModel,
  counts: ReadonlyMap<string, number>,
  required: readonly string[],
  readingsOf: (word: string) => WeighedReading[],
  options: MandarinVocabularyOptions,
): VocabularyWord[] {
  const probabilities = new Map<string, number>();
  let total = 0;
  for (const count of counts.values()) total += count;
  for (const [word, count] of counts) probabilities.set(word, ((1 - options.trigramShare) * count) / total);
  for (const [number, text] of trigrams.words.entries()) {
    const probability = Math.exp(trigrams.model.unigramLogp[number] ?? -Infinity);
    if (probability === 0 || isClauseMark(text) || !isSimplifiedWord(text)) continue;
    probabilities.set(text, (probabilities.get(text) ?? 0) + options.trigramShare * probability);
  }
  const needed = new Set(required);
  const rarest = 1 / PRIOR_SCALE;
  for (const word of needed) probabilities.set(word, Math.max(probabilities.get(word) ?? 0, rarest));
  const ranked = [...probabilities]
    .filter(([word]) => [...word].length <= options.maximumLength)
    .sort(([, a], [, b]) => b - a);
  const words: VocabularyWord[] = [{ text: '', priorCount: 0, readings: [] }];
  for (const [text, probability] of ranked) {
    if (words.length >= options.size && !needed.has(text)) continue;
    const readings = readingsOf(text).filter((reading) => reading.probability >= options.minimumReadingShare);
    if (readings.length > 0) words.push({ text, priorCount: probability * PRIOR_SCALE, readings });
  }
  return words;
}
