import { mapAtPace, type Pace } from './pace.ts';

/** Probability of a jump to any sentence; 0.15 in LexRank and PageRank. */
const JUMP = 0.15;
const STEPS = 30;
const ENOUGH = 1e-7;

/** Sentences as unit vectors: unit numbers with their weights. */
export type SentenceVectors = { units: Int32Array[]; weights: Float64Array[]; unitCount: number };

/**
 * Normalized TF-IDF vectors of sentences. Units that occur once cannot relate two sentences, but
 * still lower the similarity of their sentence to others.
 */
export async function vectorsOf(sentences: readonly (readonly string[])[], pace: Pace): Promise<SentenceVectors> {
  const numbers = new Map<string, number>();
  const frequencies: number[] = [];
  const counted = await mapAtPace(sentences, pace, (units) => {
    const counts = new Map<number, number>();
    for (const unit of units) {
      let number = numbers.get(unit);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(unit, number);
        frequencies.push(0);
      }
      if (!counts.has(number)) frequencies[number]! += 1;
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return counts;
  });
  const total = sentences.length;
  const units = await mapAtPace(counted, pace, (counts) => Int32Array.from(counts.keys()));
  const weights = await mapAtPace(counted, pace, (counts) => {
    const raw = Float64Array.from(
      counts,
      ([unit, times]) => (1 + Math.log(times)) * Math.log((total + 1) / frequencies[unit]!),
    );
    const length = Math.sqrt(raw.reduce((sum, weight) => sum + weight * weight, 0));
    return length === 0 ? raw : raw.map((weight) => weight / length);
  });
  return { units, weights, unitCount: numbers.size };
}

/**
 * Centrality of each sentence: continuous LexRank (Erkan and Radev, 2004), the stationary
 * distribution of a random walk in proportion to cosine similarities; 1 is the average. The
 * similarity matrix A·Aᵀ minus its diagonal is never built: a step goes from sentences to units and
 * back, in time linear in the text. A sentence without similar ones distributes its share evenly.
 */
export async function rankSentences(vectors: SentenceVectors, pace: Pace): Promise<Float64Array> {
  const count = vectors.units.length;
  const degrees = neighborSums(vectors, new Float64Array(count).fill(1));
  let ranks = new Float64Array(count).fill(1);
  for (let step = 0; step < STEPS; step += 1) {
    let homeless = 0;
    const shares = ranks.map((rank, index) => {
      if (degrees[index]! > 1e-9) return rank / degrees[index]!;
      homeless += rank;
      return 0;
    });
    await pace();
    const received = neighborSums(vectors, shares);
    const next = received.map((rank) => JUMP + (1 - JUMP) * (rank + homeless / count));
    const moved = next.reduce((sum, rank, index) => sum + Math.abs(rank - ranks[index]!), 0);
    ranks = next;
    if (moved < ENOUGH * count) break;
  }
  return ranks;
}

/** For each sentence, the sum over the other sentences of value times similarity. */
function neighborSums({ units, weights, unitCount }: SentenceVectors, values: Float64Array): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(unitCount);
  units.forEach((row, sentence) => {
    for (let i = 0; i < row.length; i += 1) sums[row[i]!]! += weights[sentence]![i]! * values[sentence]!;
  });
  return Float64Array.from(units, (row, sentence) => {
    let sum = 0;
    let selfSimilarity = 0;
    for (let i = 0; i < row.length; i += 1) {
      const weight = weights[sentence]![i]!;
      sum += weight * sums[row[i]!]!;
      selfSimilarity += weight * weight;
    }
    return Math.max(0, sum - selfSimilarity * values[sentence]!);
  });
}

/** Cosine similarity of one sentence with any other. */
export function similaritiesTo({ units, weights }: SentenceVectors, one: number): (other: number) => number {
  const found = new Map(Array.from(units[one]!, (unit, i) => [unit, weights[one]![i]!]));
  return (other) => {
    const row = units[other]!;
    let sum = 0;
    for (let i = 0; i < row.length; i += 1) sum += (found.get(row[i]!) ?? 0) * weights[other]![i]!;
    return sum;
  };
}
