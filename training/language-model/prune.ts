import { bigramNode, emptyModel, normalizeBackoffs } from './named-model.ts';
import { bigramLogp, type TrigramModel } from './ngram.ts';

/** Bytes of an n-gram in the model file. */
const BIGRAM_BYTES = 6;
const TRIGRAM_BYTES = 3;

interface Losses {
  /** first → second → third → loss. */
  trigrams: Map<number, Map<number, Map<number, number>>>;
  bigrams: Map<number, Map<number, number>>;
}

/**
 * Removes the least important n-grams until the model fits `budgetBytes`, by entropy-based pruning
 * (Stolcke 1998) weighted by context frequency. A bigram is kept while any of its trigrams is.
 */
export function pruneModel(model: TrigramModel, budgetBytes: number): TrigramModel {
  const losses = measureLosses(model);
  let [low, high] = [-30, 0];
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (sizeAbove(losses, Math.exp(middle)) > budgetBytes) low = middle;
    else high = middle;
  }
  return keepAbove(model, losses, Math.exp(high));
}

function measureLosses(model: TrigramModel): Losses {
  const losses: Losses = { trigrams: new Map(), bigrams: new Map() };
  for (const [first, row] of model.bigrams) {
    const pFirst = Math.exp(model.unigramLogp[first] ?? -Infinity);
    const bigrams = new Map<number, number>();
    const trigrams = new Map<number, Map<number, number>>();
    losses.bigrams.set(first, bigrams);
    losses.trigrams.set(first, trigrams);
    const context = contextMass(
      [...row].map(([second, node]) => [node.logp, model.unigramLogp[second] ?? -Infinity] as const),
    );
    for (const [second, node] of row) {
      bigrams.set(second, pFirst * loss(node.logp, model.unigramLogp[second] ?? -Infinity, context));
      if (node.next.size === 0) continue;
      const thirds = new Map<number, number>();
      trigrams.set(second, thirds);
      const pPair = pFirst * Math.exp(node.logp);
      const pairs = [...node.next].map(([third, logp]) => [third, logp, bigramLogp(model, second, third)] as const);
      const inner = contextMass(pairs.map(([, logp, lower]) => [logp, lower] as const));
      for (const [third, logp, lower] of pairs) thirds.set(third, pPair * loss(logp, lower, inner));
    }
  }
  return losses;
}

type ContextMass = { explicit: number; lower: number };

function contextMass(entries: (readonly [number, number])[]): ContextMass {
  let [explicit, lower] = [0, 0];
  for (const [logp, lowerLogp] of entries) {
    explicit += Math.exp(logp);
    lower += Math.exp(lowerLogp);
  }
  return { explicit: Math.min(explicit, 1 - 1e-6), lower: Math.min(lower, 1 - 1e-6) };
}

/**
 * Relative entropy in nats of removing an n-gram from its context (Stolcke 1998, equations 2 to 5).
 */
function loss(logp: number, lowerLogp: number, { explicit, lower }: ContextMass): number {
  const p = Math.exp(logp);
  const backoff = Math.log((1 - explicit) / (1 - lower));
  const without = Math.log((1 - explicit + p) / (1 - lower + Math.exp(lowerLogp)));
  return -(p * (lowerLogp + without - logp) + (1 - explicit) * (without - backoff));
}

function sizeAbove(losses: Losses, threshold: number): number {
  let bytes = 0;
  for (const [first, row] of losses.bigrams) {
    const trigrams = losses.trigrams.get(first);
    for (const [second, lost] of row) {
      let kept = 0;
      for (const thirdLost of trigrams?.get(second)?.values() ?? []) if (thirdLost > threshold) kept++;
      if (kept > 0 || lost > threshold) bytes += BIGRAM_BYTES + kept * TRIGRAM_BYTES;
    }
  }
  return bytes;
}

function keepAbove(model: TrigramModel, losses: Losses, threshold: number): TrigramModel {
  const kept = emptyModel(model.unigramLogp.length);
  kept.unigramLogp.set(model.unigramLogp);
  for (const [first, row] of model.bigrams) {
    for (const [second, node] of row) {
      const lost = losses.trigrams.get(first)?.get(second);
      const thirds = [...node.next].filter(([third]) => (lost?.get(third) ?? 0) > threshold);
      if (thirds.length === 0 && (losses.bigrams.get(first)?.get(second) ?? 0) <= threshold) continue;
      const pair = bigramNode(kept, first, second);
      pair.logp = node.logp;
      for (const [third, logp] of thirds) pair.next.set(third, logp);
    }
  }
  normalizeBackoffs(kept);
  return kept;
}
