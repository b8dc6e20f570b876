import { bigramLogp, type BigramNode, type TrigramModel } from './ngram.ts';

/** A published trigram model with the words of its numbers. */
export interface NamedModel {
  /** Texts by number; several may map to the same word of ours. */
  words: string[];
  model: TrigramModel;
}

/** Maps a published word to our number, if we have it. */
export type WordMap = (text: string) => number | undefined;

/** An empty model of `size` words. */
export function emptyModel(size: number): TrigramModel {
  return {
    unigramLogp: new Float64Array(size).fill(-Infinity),
    unigramBackoff: new Float64Array(size),
    bigrams: new Map(),
  };
}

/** The node of a bigram, created if missing. */
export function bigramNode(model: TrigramModel, first: number, second: number): BigramNode {
  let row = model.bigrams.get(first);
  if (row === undefined) model.bigrams.set(first, (row = new Map()));
  let node = row.get(second);
  if (node === undefined) row.set(second, (node = { logp: -Infinity, backoff: 0, next: new Map() }));
  return node;
}

/** Log probability of a word after two words. */
export function trigramLogp(model: TrigramModel, first: number, second: number, word: number): number {
  const context = model.bigrams.get(first)?.get(second);
  return context?.next.get(word) ?? (context?.backoff ?? 0) + bigramLogp(model, second, word);
}

/** Minimum probability mass for unseen words, as quantized sources may sum to more than one. */
const MINIMUM_UNSEEN_MASS = 1e-4;

/**
 * Sets all backoff weights so that probabilities sum to one in every context (Katz 1987). Scales
 * explicit probabilities down where they leave no mass.
 */
export function normalizeBackoffs(model: TrigramModel): void {
  for (const [first, row] of model.bigrams) {
    let [explicit, lower] = [0, 0];
    for (const [word, node] of row) {
      explicit += Math.exp(node.logp);
      lower += Math.exp(model.unigramLogp[word] ?? -Infinity);
    }
    const excess = Math.log(Math.max(1, explicit / (1 - MINIMUM_UNSEEN_MASS)));
    if (excess > 0) for (const node of row.values()) node.logp -= excess;
    model.unigramBackoff[first] = backoff(explicit, lower);
  }
  for (const row of model.bigrams.values()) {
    for (const [second, node] of row) {
      if (node.next.size === 0) {
        node.backoff = 0;
        continue;
      }
      let [explicit, lower] = [0, 0];
      for (const [word, logp] of node.next) {
        explicit += Math.exp(logp);
        lower += Math.exp(bigramLogp(model, second, word));
      }
      const excess = Math.log(Math.max(1, explicit / (1 - MINIMUM_UNSEEN_MASS)));
      if (excess > 0) for (const [word, logp] of node.next) node.next.set(word, logp - excess);
      node.backoff = backoff(explicit, lower);
    }
  }
}

function backoff(explicit: number, lower: number): number {
  return Math.log(Math.max(MINIMUM_UNSEEN_MASS, 1 - explicit) / Math.max(MINIMUM_UNSEEN_MASS, 1 - lower));
}

/**
 * Renumbers the words of a model: `order[number]` is the old number. `order` must contain every
 * word of the model.
 */
export function renumber(model: TrigramModel, order: readonly number[]): TrigramModel {
  const numbers = new Map(order.map((old, number) => [old, number]));
  const renumbered = emptyModel(order.length);
  for (const [number, old] of order.entries()) {
    renumbered.unigramLogp[number] = model.unigramLogp[old] ?? -Infinity;
    renumbered.unigramBackoff[number] = model.unigramBackoff[old] ?? 0;
  }
  for (const [first, row] of model.bigrams) {
    for (const [second, node] of row) {
      const target = bigramNode(renumbered, numbers.get(first) ?? 0, numbers.get(second) ?? 0);
      target.logp = node.logp;
      target.backoff = node.backoff;
      for (const [word, logp] of node.next) target.next.set(numbers.get(word) ?? 0, logp);
    }
  }
  return renumbered;
}
