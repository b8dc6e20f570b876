/** Logistic regression on a position in a text. */
export type Regression = {
  bias: number;
  /** Weight of the opener and closer scores of the lexicon. */
  closes: number;
  opens: number;
  /** Log-odds by feature; an unknown feature adds nothing. */
  weights: ReadonlyMap<string, number>;
};

/** A regression as JSON. */
export type StoredRegression = Omit<Regression, 'weights'> & { weights: Record<string, number> };

export function regressionOf(stored: StoredRegression): Regression {
  return { ...stored, weights: new Map(Object.entries(stored.weights)) };
}

/** Log-odds of a position. */
export function oddsOf(
  { bias, closes, opens, weights }: Regression,
  features: readonly string[],
  lexical: { closes: number; opens: number } = { closes: 0, opens: 0 },
): number {
  let odds = bias + closes * lexical.closes + opens * lexical.opens;
  for (const name of features) odds += weights.get(name) ?? 0;
  return odds;
}

/**
 * Rounds the weights to two decimals, sorts them by name, and leaves out those closer to zero than
 * `minWeight`.
 */
export function storedRegression({ bias, closes, opens, weights }: Regression, minWeight: number): StoredRegression {
  const kept = [...weights].filter(([, weight]) => Math.abs(weight) >= minWeight);
  return {
    bias: rounded(bias),
    closes: rounded(closes),
    opens: rounded(opens),
    weights: Object.fromEntries(
      kept.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, weight]) => [name, rounded(weight)]),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
