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

/** Errors and reference length of one recording; `speaker` is null where it is not known. */
export type Count = { errors: number; length: number; speaker: string | null };

export type ErrorRate = {
  /** Errors ÷ reference tokens, over all recordings; null without any token. May exceed 1: what was never said counts too. */
  rate: number | null;
  /** The 95 % confidence interval; null where there is nothing to draw from. */
  interval: { low: number; high: number } | null;
  /** What was drawn again for the interval, and how many there are of it. */
  drawn: 'recordings' | 'speakers';
  drawnFrom: number;
};

const RESAMPLES = 2_000;
/** Fewer say nothing of how much speakers differ: with two, every fourth draw would be one of them alone. */
const FEWEST_SPEAKERS = 5;
const TAIL = 0.025;

/**
 * The error rate of a set with its confidence interval, by percentile bootstrap. Recordings, not tokens, are drawn again (Bisani
 * and Ney 2004), because errors within one recording depend on each other; and whole speakers where they are known, because a
 * voice that is heard badly is heard badly in all of its recordings (Liu and Peng 2020, "blockwise bootstrap"). A recording
 * whose speaker is not told counts as a speaker of its own. Of fewer than five speakers the recordings are drawn, and the interval
 * holds for these speakers alone. The draw is seeded: the same results print the same figures.
 */
export function errorRate(counts: readonly Count[]): ErrorRate {
  const groups = groupBySpeaker(counts);
  const rate = ratio(groups);
  const drawn = { drawn: groups.length < counts.length ? 'speakers' : 'recordings', drawnFrom: groups.length } as const;
  if (rate === null || groups.length < 2) return { rate, interval: null, ...drawn };
  const random = seededRandom(1);
  const rates: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const again = ratio(Array.from(groups, () => groups[Math.floor(random() * groups.length)]!));
    // A draw of nothing but recordings without a token has no rate.
    if (again !== null) rates.push(again);
  }
  rates.sort((a, b) => a - b);
  const last = rates.length - 1;
  return {
    rate,
    interval: { low: rates[Math.floor(last * TAIL)]!, high: rates[Math.ceil(last * (1 - TAIL))]! },
    ...drawn,
  };
}

type Sum = { errors: number; length: number };

function groupBySpeaker(counts: readonly Count[]): Sum[] {
  const speakers = new Map<string, Sum>();
  const groups: Sum[] = [];
  for (const { errors, length, speaker } of counts) {
    const known = speaker === null ? undefined : speakers.get(speaker);
    const group = known ?? { errors: 0, length: 0 };
    if (known === undefined) groups.push(group);
    if (known === undefined && speaker !== null) speakers.set(speaker, group);
    group.errors += errors;
    group.length += length;
  }
  return groups.length < FEWEST_SPEAKERS ? [...counts] : groups;
}

function ratio(sums: readonly Sum[]): number | null {
  let errors = 0;
  let length = 0;
  for (const sum of sums) {
    errors += sum.errors;
    length += sum.length;
  }
  return length === 0 ? null : errors / length;
}

/** Mulberry32: small, seeded, good enough to draw samples. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
