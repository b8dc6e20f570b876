import { mixModels } from './mix-models.ts';
import { type NamedModel, type WordMap, normalizeBackoffs, renumber } from './named-model.ts';
import { type TrigramModel, type TrigramOptions, trainTrigrams } from './ngram.ts';
import { projectModel } from './project-model.ts';
import { pruneModel } from './prune.ts';
import type { VocabularyWord } from './vocabulary.ts';
import { encodeModel, MAXIMUM_NGRAM_WORDS } from './write-model.ts';

export interface MixingOptions extends TrigramOptions {
  /** Weight of the published trigrams relative to those of the sentences. */
  foreignShare: number;
  /** Size limit of all n-grams in the file, in bytes. */
  ngramBytes: number;
}

/** Inputs of a model. */
export interface MixingSources {
  /** Word 0 is the boundary, the others are sorted by descending probability. */
  vocabulary: VocabularyWord[];
  foreign: NamedModel;
  /** Maps words of the published model to the vocabulary. */
  numberOf: WordMap;
  /** Sentences as vocabulary words, without held-out ones. */
  sentences: string[][];
}

/**
 * Builds a model file from published trigrams, our sentences and word counts: maps the published
 * model to our words, mixes it with one trained on the sentences, and prunes it to size.
 */
export function trainMixedModel(sources: MixingSources, options: MixingOptions, description: string): Uint8Array {
  const { vocabulary } = sources;
  const words = vocabulary.slice(0, MAXIMUM_NGRAM_WORDS);
  const model = pruneModel(mixedModel(sources, words, options), options.ngramBytes);
  addRareWords(model, vocabulary);
  const seen = wordsWithNgrams(model);
  const order = [...vocabulary.keys()].sort((a, b) => Number(seen.has(b)) - Number(seen.has(a)) || a - b);
  const ordered = order.flatMap((number) => vocabulary[number] ?? []);
  return encodeModel(ordered, seen.size, renumber(model, order), description);
}

function mixedModel(sources: MixingSources, words: VocabularyWord[], options: MixingOptions): TrigramModel {
  const foreign = projectModel(
    sources.foreign,
    (text) => {
      const number = sources.numberOf(text);
      return number !== undefined && number < words.length ? number : undefined;
    },
    words.length,
  );
  const prior = Float64Array.from(words, (word) => word.priorCount);
  if (sources.sentences.length === 0) return withUnigrams(foreign, prior);
  const numbers = new Map(words.map((word, number) => [word.text, number]));
  const numbered = sources.sentences.map((sentence) => [0, ...sentence.flatMap((word) => numbers.get(word) ?? []), 0]);
  return mixModels(foreign, trainTrigrams(numbered, prior, 0, options), options.foreignShare);
}

/** Replaces unigram probabilities by those of the counts, except for the boundary. */
function withUnigrams(model: TrigramModel, counts: Float64Array): TrigramModel {
  const boundary = Math.exp(model.unigramLogp[0] ?? -Infinity);
  const total = counts.reduce((sum, count, word) => sum + (word === 0 ? 0 : count), 0);
  for (let word = 1; word < counts.length; word++) {
    model.unigramLogp[word] = Math.log(((1 - boundary) * (counts[word] ?? 0)) / total);
  }
  normalizeBackoffs(model);
  return model;
}

/** Adds words too rare for n-grams as unigrams. */
function addRareWords(model: TrigramModel, vocabulary: VocabularyWord[]): void {
  const total = vocabulary.reduce((sum, word) => sum + word.priorCount, 0);
  const [logp, backoff] = [new Float64Array(vocabulary.length), new Float64Array(vocabulary.length)];
  logp.set(model.unigramLogp);
  backoff.set(model.unigramBackoff);
  for (let word = model.unigramLogp.length; word < vocabulary.length; word++) {
    logp[word] = Math.log((vocabulary[word]?.priorCount ?? 0) / total);
  }
  model.unigramLogp = logp;
  model.unigramBackoff = backoff;
}

function wordsWithNgrams(model: TrigramModel): Set<number> {
  const seen = new Set([0]);
  for (const [first, row] of model.bigrams) {
    seen.add(first);
    for (const [second, { next }] of row) {
      seen.add(second);
      for (const third of next.keys()) seen.add(third);
    }
  }
  return seen;
}
