import { readFileSync } from 'node:fs';
import { boundaryFeatures, type BoundaryReading } from './boundary-features.ts';

/** A logistic regression on where sentences end, and the lengths of sentences, in tokens. */
export type BoundaryModel = {
  bias: number;
  /** What the scores of the words that close and open sentences (Lexicon) count for. */
  closes: number;
  opens: number;
  /** Mean and spread of the natural logarithm of the length of a sentence. */
  logLength: { mean: number; spread: number };
  /** Log-odds by feature; features that are not there count for nothing. */
  weights: ReadonlyMap<string, number>;
};
export type BoundaryModelName = 'chinese' | 'english' | 'japanese' | 'korean';

type StoredModel = Omit<BoundaryModel, 'weights'> & { weights: Record<string, number> };
let shipped: Map<string, BoundaryModel> | null = null;

/** The model of a language, fitted by `training/evaluate/summary/fit-cuts.ts`; read once, when first asked for. */
export function boundaryModel(name: BoundaryModelName): BoundaryModel {
  shipped ??= new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL('./cut-weights.json', import.meta.url), 'utf8')) as Record<string, StoredModel>,
    ).map(([key, model]) => [key, { ...model, weights: new Map(Object.entries(model.weights)) }]),
  );
  return shipped.get(name)!;
}

/** The log-odds that a sentence ends after the token numbered `index`, by the words alone. */
export function boundaryLogOdds(
  model: BoundaryModel,
  tokens: readonly string[],
  index: number,
  reading: BoundaryReading,
  lexical: { closes: number; opens: number },
): number {
  let sum = model.bias + model.closes * lexical.closes + model.opens * lexical.opens;
  for (const name of boundaryFeatures(tokens, index, reading)) sum += model.weights.get(name) ?? 0;
  return sum;
}
