import { pronounce } from './corpora-eng.ts';
import type { EnglishSpelling } from './english-spelling.ts';
import type { NamedModel } from './named-model.ts';
import type { VocabularyWord } from './vocabulary.ts';

export interface EnglishVocabularyOptions {
  /** Words in all; the rarest are left out. */
  size: number;
  /** Share of the word probabilities that the trigrams' own make up, the rest being the subtitles' counts. */
  trigramShare: number;
}

/** Counts are scaled so that a word of probability one would have this many. */
const PRIOR_SCALE = 1e9;

/**
 * The likeliest words of the trigrams and the subtitles together that the pronouncing dictionary has, and all words
 * of the sentences; the boundary (word 0) first and then by falling probability. The dictionary does not say how
 * common a variant is: the first of n has twice the share of each other.
 */
export function buildEnglishVocabulary(
  trigrams: NamedModel,
  subtitleCounts: ReadonlyMap<string, number>,
  pronunciations: ReadonlyMap<string, string[][]>,
  required: ReadonlySet<string>,
  spell: EnglishSpelling,
  options: EnglishVocabularyOptions,
): VocabularyWord[] {
  const probabilities = new Map<string, number>();
  let total = 0;
  for (const count of subtitleCounts.values()) total += count;
  for (const [word, count] of subtitleCounts) probabilities.set(word, ((1 - options.trigramShare) * count) / total);
  for (const [number, text] of trigrams.words.entries()) {
    const probability = Math.exp(trigrams.model.unigramLogp[number] ?? -Infinity);
    probabilities.set(text, (probabilities.get(text) ?? 0) + options.trigramShare * probability);
  }
  const rarest = 1 / PRIOR_SCALE;
  for (const word of required) probabilities.set(word, Math.max(probabilities.get(word) ?? 0, rarest));
  const words: VocabularyWord[] = [{ text: '', priorCount: 0, readings: [] }];
  for (const [word, probability] of [...probabilities].sort(([, a], [, b]) => b - a)) {
    if (words.length >= options.size && !required.has(word)) continue;
    const variants = pronounce(pronunciations, word);
    if (variants === undefined) continue;
    const readings = variants.map((syllables, index) => ({
      syllables,
      probability: (index === 0 ? 2 : 1) / (variants.length + 1),
    }));
    words.push({ text: spell(word), priorCount: probability * PRIOR_SCALE, readings });
  }
  return words;
}
