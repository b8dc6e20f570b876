import { similaritiesTo, type SentenceVectors } from './rank-sentences.ts';

/** How much a sentence loses for saying what is taken already: the lambda of maximal marginal relevance. */
const REDUNDANCY_WEIGHT = 1.2;
/** Cosine from which on two sentences say the same. */
const MOST_ALIKE = 0.6;
/** What a sentence loses beside one that is taken: two in a row are mostly a point and its explanation. */
const NEIGHBOUR_WEIGHTS = [0, 0.8, 0.4];
/** Candidates that are compared with each sentence taken: the best of the rest, many times what fits. */
const CANDIDATES = 400;

/** In characters, but `least`, which is in sentences. */
export type SummaryBounds = { budget: number; most: number; least: number; separatorLength?: number };

/**
 * Chooses sentences for a summary of at most `budget` characters, best first, each discounted by its likeness to those
 * taken (maximal marginal relevance; Carbonell and Goldstein, 1998). At least `least` are taken, whatever the budget, as
 * long as all stay within `most` characters. Returns their numbers in the order of the text.
 */
export function selectSentences(
  sentences: readonly string[],
  scores: readonly number[],
  vectors: SentenceVectors,
  { budget, most, least, separatorLength = 0 }: SummaryBounds,
): number[] {
  const candidates = sentences
    .map((_, index) => index)
    .toSorted((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, CANDIDATES);
  const losses = new Map(candidates.map((index) => [index, 0]));
  const taken: number[] = [];
  let length = 0;
  while (losses.size > 0) {
    const best = [...losses].reduce((one, other) => (valueOf(other) > valueOf(one) ? other : one))[0];
    losses.delete(best);
    const size = sentences[best]!.length + (taken.length === 0 ? 0 : separatorLength);
    if (length + size > (taken.length < least ? most : budget)) continue;
    taken.push(best);
    length += size;
    const similarity = similaritiesTo(vectors, best);
    for (const [index, loss] of losses) {
      const alike = similarity(index);
      if (alike > MOST_ALIKE) {
        losses.delete(index);
        continue;
      }
      const like = REDUNDANCY_WEIGHT * alike;
      losses.set(index, Math.max(loss, like, NEIGHBOUR_WEIGHTS[Math.abs(index - best)] ?? 0));
    }
  }
  return taken.toSorted((a, b) => a - b);

  function valueOf([index, loss]: [number, number]): number {
    return scores[index]! - loss;
  }
}
