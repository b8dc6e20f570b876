import { mean, standardDeviation } from '@jyutsing/numeric/statistics';
import { boundaryFeatures } from '#packages/text/boundaries/boundary-features.ts';
import type { Regression } from '#packages/text/boundaries/regression.ts';
import type { BoundaryModel } from '#packages/text/summary/boundary-model.ts';
import { tokensOf } from '#packages/text/summary/caption-tokens.ts';
import { lexicalScores } from '#packages/text/summary/cut-unpunctuated.ts';
import { LEXICONS } from '@jyutsing/text/summary/summarize-text';
import { bareText, type KeyedTranscript } from './transcripts.ts';

const CLAUSE_END = /(?<=[，。、,.?!？！；;：:…])\s*/u;
/** Occurrences that a feature needs. */
const MIN_OCCURRENCES = 3;
const PENALTY = 1;
const EPOCHS = 25;
const BATCH = 512;
const STEP_SIZE = 0.15;

/** Position after a token: its features, and the unit that ends there. */
export type Boundary = { features: string[]; closes: number; opens: number; ends: 'sentence' | 'clause' | null };
type Boundaries = { boundaries: Boundary[]; logLengths: number[] };

/**
 * All positions of a transcript in the form of automatic captions, on one line. Clauses end at
 * punctuation.
 */
export function boundariesOf(transcript: KeyedTranscript): Boundaries {
  const lexicon = LEXICONS[transcript.language];
  const sentences = transcript.sentences.map(({ text }) => {
    const clauses = text.split(CLAUSE_END).map((clause) => tokensOf(bareText(clause, lexicon.spaced), lexicon));
    return clauses.filter((clause) => clause.length > 0);
  });
  const words = sentences.flat(2).map(({ word }) => word);
  const ends = new Map<number, 'sentence' | 'clause'>();
  let count = 0;
  for (const sentence of sentences) {
    for (const clause of sentence) {
      count += clause.length;
      ends.set(count - 1, 'clause');
    }
    ends.set(count - 1, 'sentence');
  }
  const boundaries = words.slice(0, -1).map((_, index) => ({
    features: boundaryFeatures(words, index, lexicon.boundaries.reading),
    ...lexicalScores(words, index, lexicon),
    ends: ends.get(index) ?? null,
  }));
  return { boundaries, logLengths: sentences.map((clauses) => Math.log(Math.max(1, clauses.flat().length))) };
}

/** Fits the boundary model of one language. */
export function fitBoundaries(from: readonly Boundaries[]): BoundaryModel {
  const boundaries = from.flatMap((transcript) => transcript.boundaries);
  const lengths = from.flatMap(({ logLengths }) => logLengths);
  return {
    clause: regressionOn(boundaries, (place) => place.ends !== null),
    sentence: regressionOn(
      boundaries.filter(({ ends }) => ends !== null),
      ({ ends }) => ends === 'sentence',
    ),
    logLength: { mean: mean(lengths), spread: standardDeviation(lengths) },
  };
}

/**
 * Fits a logistic regression with an L2 penalty by AdaGrad over batches in a fixed order;
 * deterministic. Rarer features than `minOccurrences` are left out.
 */
export function regressionOn(
  boundaries: readonly Boundary[],
  isPositive: (place: Boundary) => boolean,
  minOccurrences = MIN_OCCURRENCES,
): Regression {
  const numbers = numbersOf(boundaries, minOccurrences);
  const rows = boundaries.map(({ features, closes, opens }) => ({
    units: features.map((name) => numbers.get(name)).filter((unit) => unit !== undefined),
    dense: [1, closes, opens],
  }));
  const size = numbers.size;
  const weights = new Float64Array(size + 3);
  const squares = new Float64Array(size + 3).fill(1e-6);
  weights[size] = -2;
  // A stride coprime to the number of rows visits each row once.
  let stride = 7919;
  while (boundaries.length % stride === 0) stride += 2;
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let start = 0; start < rows.length; start += BATCH) {
      const slopes = new Float64Array(size + 3);
      const end = Math.min(rows.length, start + BATCH);
      for (let at = start; at < end; at += 1) {
        const index = (at * stride) % rows.length;
        const { units, dense } = rows[index]!;
        let sum = dense.reduce((total, value, column) => total + value * weights[size + column]!, 0);
        for (const unit of units) sum += weights[unit]!;
        const error = 1 / (1 + Math.exp(-sum)) - (isPositive(boundaries[index]!) ? 1 : 0);
        for (const unit of units) slopes[unit]! += error;
        dense.forEach((value, column) => {
          slopes[size + column]! += error * value;
        });
      }
      const share = (end - start) / rows.length;
      for (let unit = 0; unit < size + 3; unit += 1) {
        const slope = slopes[unit]! + (unit < size ? PENALTY * share * weights[unit]! : 0);
        squares[unit]! += slope * slope;
        weights[unit]! -= (STEP_SIZE * slope) / Math.sqrt(squares[unit]!);
      }
    }
  }
  return {
    bias: weights[size]!,
    closes: weights[size + 1]!,
    opens: weights[size + 2]!,
    weights: new Map([...numbers].map(([name, unit]) => [name, weights[unit]!])),
  };
}

function numbersOf(boundaries: readonly Boundary[], minOccurrences: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of boundaries) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].filter(([, count]) => count >= minOccurrences).map(([name]) => name);
  return new Map(frequent.map((name, index) => [name, index]));
}
