/** How many insertions, deletions and substitutions turn `heard` into `expected` (Levenshtein distance over whole tokens). */
export function editDistance(heard: readonly string[], expected: readonly string[]): number {
  let above = Array.from({ length: expected.length + 1 }, (_, j) => j);
  for (const [i, token] of heard.entries()) {
    const row = [i + 1];
    for (const [j, wanted] of expected.entries()) {
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + (token === wanted ? 0 : 1)));
    }
    above = row;
  }
  return above.at(-1)!;
}

/** Errors and reference length of one recording. */
export type Count = { errors: number; length: number };

export type ErrorRate = {
  /** Errors ÷ reference tokens, over all recordings. */
  rate: number;
  /** Half the width of the 95 % confidence interval, by bootstrap over recordings. */
  margin: number;
};

const RESAMPLES = 500;

/**
 * The error rate of a set with its confidence interval: recordings, not tokens, are drawn again (Bisani and Ney 2004), because
 * errors within one recording depend on each other. The draw is seeded, so that the same results print the same figure.
 */
export function errorRate(counts: readonly Count[]): ErrorRate {
  const rate = ratio(counts);
  if (counts.length < 2) return { rate, margin: Number.NaN };
  const random = seededRandom(1);
  const rates = Array.from({ length: RESAMPLES }, () =>
    ratio(Array.from(counts, () => counts[Math.floor(random() * counts.length)]!)),
  ).toSorted((a, b) => a - b);
  return { rate, margin: (rates[Math.floor(RESAMPLES * 0.975)]! - rates[Math.floor(RESAMPLES * 0.025)]!) / 2 };
}

function ratio(counts: readonly Count[]): number {
  let errors = 0;
  let length = 0;
  for (const count of counts) {
    errors += count.errors;
    length += count.length;
  }
  return length === 0 ? Number.NaN : errors / length;
}

/** Mulberry32: small, seeded, good enough to draw samples. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
