import { readFileSync } from 'node:fs';
import { boundaryFeatures, type BoundaryReading } from '#text/boundaries/boundary-features.ts';
import { oddsOf, regressionOf, type Regression, type StoredRegression } from '#text/boundaries/regression.ts';

/** Predicts clause ends, which of them end a sentence, and sentence lengths in tokens. */
export type BoundaryModel = {
  clause: Regression;
  /** Predicts which clause ends are sentence ends. */
  sentence: Regression;
  /** Mean and standard deviation of the natural logarithm of sentence lengths. */
  logLength: { mean: number; spread: number };
};
export type BoundaryModelName = 'chinese' | 'english' | 'japanese' | 'korean';

type StoredModel = Omit<BoundaryModel, 'clause' | 'sentence'> & Record<'clause' | 'sentence', StoredRegression>;
let shipped: Map<string, BoundaryModel> | null = null;

/** The model of a language, fitted by `eval/summary/fit-cuts.ts`; loaded on first use. */
export function boundaryModel(name: BoundaryModelName): BoundaryModel {
  shipped ??= new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL('../../../models/summary-cuts/weights.json', import.meta.url), 'utf8')) as Record<
        string,
        StoredModel
      >,
    ).map(([key, { clause, sentence, logLength }]) => [
      key,
      { clause: regressionOf(clause), sentence: regressionOf(sentence), logLength },
    ]),
  );
  return shipped.get(name)!;
}

/** Log-odds of a clause end, and of a sentence end given a clause end, from the words alone. */
export type BoundaryOdds = { clause: number; sentence: number };

/** Odds of the position after token `index`. */
export function boundaryOddsAt(
  { clause, sentence }: BoundaryModel,
  tokens: readonly string[],
  index: number,
  reading: BoundaryReading,
  lexical: { closes: number; opens: number },
): BoundaryOdds {
  const features = boundaryFeatures(tokens, index, reading);
  return { clause: oddsOf(clause, features, lexical), sentence: oddsOf(sentence, features, lexical) };
}
