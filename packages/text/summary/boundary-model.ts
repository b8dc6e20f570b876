import { readFileSync } from 'node:fs';
import { boundaryFeatures, type BoundaryReading } from './boundary-features.ts';

/** A logistic regression on a place in the text. */
export type Regression = {
  bias: number;
  /** What the scores of the words that close and open sentences (Lexicon) count for. */
  closes: number;
  opens: number;
  /** Log-odds by feature; features that are not there count for nothing. */
  weights: ReadonlyMap<string, number>;
};

/** Where clauses end, which of them end a sentence, and the lengths of sentences, in tokens. */
export type BoundaryModel = {
  clause: Regression;
  /** Of places where a clause ends. */
  sentence: Regression;
  /** Mean and spread of the natural logarithm of the length of a sentence. */
  logLength: { mean: number; spread: number };
};
export type BoundaryModelName = 'chinese' | 'english' | 'japanese' | 'korean';

type StoredRegression = Omit<Regression, 'weights'> & { weights: Record<string, number> };
type StoredModel = Omit<BoundaryModel, 'clause' | 'sentence'> & Record<'clause' | 'sentence', StoredRegression>;
let shipped: Map<string, BoundaryModel> | null = null;

/** The model of a language, fitted by `eval/summary/fit-cuts.ts`; read once, when first asked for. */
export function boundaryModel(name: BoundaryModelName): BoundaryModel {
  shipped ??= new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL('./cut-weights.json', import.meta.url), 'utf8')) as Record<string, StoredModel>,
    ).map(([key, { clause, sentence, logLength }]) => [
      key,
      { clause: regressionOf(clause), sentence: regressionOf(sentence), logLength },
    ]),
  );
  return shipped.get(name)!;
}

function regressionOf(stored: StoredRegression): Regression {
  return { ...stored, weights: new Map(Object.entries(stored.weights)) };
}

/** By the words alone: the log-odds that a clause ends at a place, and that a sentence does, if a clause does. */
export type BoundaryOdds = { clause: number; sentence: number };

/** The odds of the place after the token numbered `index`. */
export function boundaryOddsAt(
  { clause, sentence }: BoundaryModel,
  tokens: readonly string[],
  index: number,
  reading: BoundaryReading,
  { closes, opens }: { closes: number; opens: number },
): BoundaryOdds {
  const odds = {
    clause: clause.bias + clause.closes * closes + clause.opens * opens,
    sentence: sentence.bias + sentence.closes * closes + sentence.opens * opens,
  };
  for (const name of boundaryFeatures(tokens, index, reading)) {
    odds.clause += clause.weights.get(name) ?? 0;
    odds.sentence += sentence.weights.get(name) ?? 0;
  }
  return odds;
}
