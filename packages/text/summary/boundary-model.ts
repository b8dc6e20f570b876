import { readFileSync } from 'node:fs';
import { boundaryFeatures, type BoundaryReading } from './boundary-features.ts';

/** Logistic regression on a position in the text. */
export type Regression = {
  bias: number;
  /** Weight of the opener and closer scores of the lexicon. */
  closes: number;
  opens: number;
  /** Log-odds by feature; unknown features have none. */
  weights: ReadonlyMap<string, number>;
};

/** Predicts clause ends, which of them end a sentence, and sentence lengths in tokens. */
export type BoundaryModel = {
  clause: Regression;
  /** Applies to clause ends only. */
  sentence: Regression;
  /** Mean and standard deviation of the natural logarithm of sentence lengths. */
  logLength: { mean: number; spread: number };
};
export type BoundaryModelName = 'chinese' | 'english' | 'japanese' | 'korean';

type StoredRegression = Omit<Regression, 'weights'> & { weights: Record<string, number> };
type StoredModel = Omit<BoundaryModel, 'clause' | 'sentence'> & Record<'clause' | 'sentence', StoredRegression>;
let shipped: Map<string, BoundaryModel> | null = null;

/** The model of a language, fitted by `eval/summary/fit-cuts.ts`; loaded on first use. */
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

/** Log-odds of a clause end, and of a sentence end given a clause end, from the words alone. */
export type BoundaryOdds = { clause: number; sentence: number };

/** Odds of the position after token `index`. */
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
