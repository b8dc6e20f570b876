/** A trigram model over word numbers, with natural logarithms. */
export interface TrigramModel {
  unigramLogp: Float64Array;
  /** Log backoff weight after each word. */
  unigramBackoff: Float64Array;
  /** first → second → {logp, backoff, next: third → logp}, seen n-grams only. */
  bigrams: Map<number, Map<number, BigramNode>>;
}

export interface BigramNode {
  logp: number;
  backoff: number;
  next: Map<number, number>;
}

export interface TrigramOptions {
  /** Weight of the corpora in the unigram distribution, relative to the prior. */
  corpusShare: number;
  /** Absolute discounts of the three orders. */
  discounts: readonly [number, number, number];
  /** Minimum count of trigrams. */
  minimumTrigramCount: number;
  /** Exponent of the prior counts. */
  priorPower: number;
}

interface Counts {
  total: number;
  next: Map<number, number>;
}

/**
 * Interpolated absolute discounting (Ney, Essen & Kneser 1994; Chen & Goodman 1999) over a prior:
 * unigrams are mixed with those of a far larger text, so that words unseen in the corpora get a
 * probability. Sentences are word numbers with boundary marks at both ends.
 */
export function trainTrigrams(
  sentences: number[][],
  priorCounts: Float64Array,
  boundary: number,
  options: TrigramOptions,
): TrigramModel {
  const size = priorCounts.length;
  const unigramCounts = new Float64Array(size);
  const pairs = new Map<number, Counts>();
  const triples = new Map<number, Map<number, Counts>>();
  for (const words of sentences) {
    for (let i = 1; i < words.length; i++) {
      const [word, previous] = [words[i] ?? 0, words[i - 1] ?? 0];
      unigramCounts[word] = (unigramCounts[word] ?? 0) + 1;
      count(pairs, previous, word);
      if (i < 2) continue;
      const beforePrevious = words[i - 2] ?? 0;
      let rows = triples.get(beforePrevious);
      if (rows === undefined) triples.set(beforePrevious, (rows = new Map()));
      count(rows, previous, word);
    }
  }
  const unigram = unigramDistribution(unigramCounts, priorCounts, boundary, options);
  const unigramBackoff = new Float64Array(size);
  const bigrams: TrigramModel['bigrams'] = new Map();
  for (const [first, counts] of pairs) {
    const [, discount] = options.discounts;
    const weight = (discount * counts.next.size) / counts.total;
    unigramBackoff[first] = Math.log(weight);
    const row = new Map<number, BigramNode>();
    bigrams.set(first, row);
    for (const [second, seen] of counts.next) {
      const p = (seen - discount) / counts.total + weight * (unigram[second] ?? 0);
      row.set(second, { logp: Math.log(p), backoff: 0, next: new Map() });
    }
  }
  addTrigrams({ unigramLogp: unigram.map(Math.log), unigramBackoff, bigrams }, triples, options);
  return { unigramLogp: unigram.map(Math.log), unigramBackoff, bigrams };
}

function addTrigrams(model: TrigramModel, triples: Map<number, Map<number, Counts>>, options: TrigramOptions): void {
  const discount = options.discounts[2];
  for (const [first, rows] of triples) {
    for (const [second, counts] of rows) {
      const context = model.bigrams.get(first)?.get(second);
      if (context === undefined) continue;
      const kept = [...counts.next].filter(([, seen]) => seen >= options.minimumTrigramCount);
      if (kept.length === 0) continue;
      let keptMass = 0;
      for (const [, seen] of kept) keptMass += seen - discount;
      const weight = 1 - keptMass / counts.total;
      context.backoff = Math.log(weight);
      for (const [third, seen] of kept) {
        const lower = Math.exp(bigramLogp(model, second, third));
        context.next.set(third, Math.log((seen - discount) / counts.total + weight * lower));
      }
    }
  }
}

/** Log probability of a word after one word. */
export function bigramLogp(model: TrigramModel, first: number, second: number): number {
  const seen = model.bigrams.get(first)?.get(second);
  return seen?.logp ?? (model.unigramBackoff[first] ?? 0) + (model.unigramLogp[second] ?? -Infinity);
}

function unigramDistribution(
  counts: Float64Array,
  priorCounts: Float64Array,
  boundary: number,
  options: TrigramOptions,
): Float64Array {
  const prior = priorCounts.map((value) => value ** options.priorPower);
  prior[boundary] = 0;
  const priorTotal = prior.reduce((sum, value) => sum + value, 0);
  const total = counts.reduce((sum, value) => sum + value, 0);
  const discount = options.discounts[0];
  const kept = counts.reduce((sum, value) => sum + Math.max(value - discount, 0), 0) / total;
  const corpusScale = total === 0 ? 0 : options.corpusShare / (total * kept);
  return counts.map(
    (value, word) =>
      Math.max(value - discount, 0) * corpusScale + (1 - options.corpusShare) * ((prior[word] ?? 0) / priorTotal),
  );
}

function count(rows: Map<number, Counts>, context: number, word: number): void {
  let counts = rows.get(context);
  if (counts === undefined) rows.set(context, (counts = { total: 0, next: new Map() }));
  counts.total++;
  counts.next.set(word, (counts.next.get(word) ?? 0) + 1);
}
