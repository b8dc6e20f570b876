import type { Piece } from './cut-unpunctuated.ts';
import { similaritiesTo, type SentenceVectors } from './rank-sentences.ts';

/** Penalty for similarity to selected sentences: the lambda of maximal marginal relevance. */
const REDUNDANCY_WEIGHT = 1.2;
/** From this cosine similarity on, two sentences are duplicates. */
const MAX_SIMILARITY = 0.6;
/**
 * Penalty by the distance from a selected sentence, because neighbors are mostly a point and its
 * explanation.
 */
const NEIGHBOUR_WEIGHTS = [0, 0.8, 0.4];
/** Bonus of two pieces that are parts of one sentence. */
const SAME_SENTENCE_WEIGHT = 2;
/** Number of the best candidates that are considered, many times more than fit. */
const CANDIDATES = 400;

/** `budget` and `separatorLength` in characters. */
type SummaryBounds = { budget: number; maxCharacters: number; minSentences: number; separatorLength?: number };

/**
 * Selects sentences for a summary of at most `budget` characters, best first, with a penalty for
 * similarity to selected ones (maximal marginal relevance; Carbonell and Goldstein, 1998), and
 * prefers adjacent parts of one sentence. Selects at least `minSentences` even over budget, but
 * never more than `maxCharacters`. Returns indices in text order.
 */
export function selectSentences(
  pieces: readonly Piece[],
  scores: readonly number[],
  vectors: SentenceVectors,
  { budget, maxCharacters, minSentences, separatorLength = 0 }: SummaryBounds,
): number[] {
  const candidates = pieces
    .map((_, index) => index)
    .toSorted((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, CANDIDATES);
  const changes = new Map(candidates.map((index) => [index, { loss: 0, gain: 0 }]));
  const valueOf = (index: number) => scores[index]! - changes.get(index)!.loss + changes.get(index)!.gain;
  const taken: number[] = [];
  let length = 0;
  while (changes.size > 0) {
    const best = [...changes.keys()].reduce((one, other) => (valueOf(other) > valueOf(one) ? other : one));
    changes.delete(best);
    const size = pieces[best]!.text.length + (taken.length === 0 ? 0 : separatorLength);
    if (length + size > (taken.length < minSentences ? maxCharacters : budget)) continue;
    taken.push(best);
    length += size;
    const similarityTo = similaritiesTo(vectors, best);
    for (const [index, change] of changes) {
      const similarity = similarityTo(index);
      if (similarity > MAX_SIMILARITY) {
        changes.delete(index);
        continue;
      }
      const distance = Math.abs(index - best);
      const separation = distance < NEIGHBOUR_WEIGHTS.length ? boundaryProbability(pieces, index, best) : 1;
      const beside = (NEIGHBOUR_WEIGHTS[distance] ?? 0) * separation;
      change.loss = Math.max(change.loss, REDUNDANCY_WEIGHT * similarity, beside);
      if (distance === 1) change.gain = Math.max(change.gain, SAME_SENTENCE_WEIGHT * (1 - separation));
    }
  }
  return taken.toSorted((a, b) => a - b);
}

/** Probability that two pieces are different sentences; 1 if a mark stands between them. */
function boundaryProbability(pieces: readonly Piece[], one: number, other: number): number {
  const between = pieces.slice(Math.min(one, other), Math.max(one, other)).map(({ endOdds }) => endOdds);
  return 1 / (1 + Math.exp(-Math.max(...between)));
}
