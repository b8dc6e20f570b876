import { pronounce } from './corpora-eng.ts';
import type { EnglishSpelling } from './english-spelling.ts';
import type { NamedModel } from './named-model.ts';
import type { VocabularyWord } from './vocabulary.ts';

/** The sources of words and their frequencies. */
type EnglishWordSources = {
  trigrams: NamedModel;
  subtitleCounts: ReadonlyMap<string, number>;
  pronunciations: ReadonlyMap<string, string[][]>;
};

export interface EnglishVocabularyOptions {
  /** Maximum number of words, by probability. */
  size: number;
  /** Weight of the trigram model's unigrams relative to the subtitle counts. */
  trigramShare: number;
}

/** Scale of counts: a word with probability one would have this count. */
const PRIOR_SCALE = 1e9;

/**
 * The likeliest words of the trigrams and the subtitles that are in the pronouncing dictionary, and
 * all words of the sentences, sorted by descending probability after the boundary (word 0). The
 * dictionary has no frequencies of variants: the first gets twice the share of each other.
 */
export function buildEnglishVocabulary(
  { trigrams, subtitleCounts, pronunciations }: EnglishWordSources,
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
