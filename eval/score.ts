import { createRandom } from '#packages/numeric/random.ts';

/** Levenshtein distance over whole tokens. */
export function editDistance(recognized: readonly string[], expected: readonly string[]): number {
  let above = Array.from({ length: expected.length + 1 }, (_, j) => j);
  for (const [i, token] of recognized.entries()) {
    const row = [i + 1];
    for (const [j, reference] of expected.entries()) {
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + (token === reference ? 0 : 1)));
    }
    above = row;
  }
  return above.at(-1)!;
}

/** Errors and reference length of one recording; `speaker` is null if unknown. */
export type Count = { errors: number; length: number; speaker: string | null };

export type ErrorRate = {
  /**
   * Errors ÷ reference tokens over all recordings; null without tokens. Insertions can make it
   * exceed 1.
   */
  rate: number | null;
  /** 95 % confidence interval; null with fewer than two groups. */
  interval: { low: number; high: number } | null;
  /** Unit of resampling and the number of units. */
  drawn: 'recordings' | 'speakers';
  drawnFrom: number;
};

const RESAMPLES = 2_000;
/** Minimum speakers for resampling by speaker: fewer show too little of how speakers differ. */
const FEWEST_SPEAKERS = 5;
const TAIL = 0.025;

/**
 * Error rate of a set with a percentile bootstrap interval. Resamples recordings rather than
 * tokens, because errors within a recording are correlated (Bisani and Ney 2004), and whole
 * speakers where known, because errors of a voice are (Liu and Peng 2020, "blockwise bootstrap"). A
 * recording of an unknown speaker counts as a speaker of its own. With fewer than five speakers it
 * resamples recordings, and the interval holds for these speakers only. Seeded, so equal results
 * give equal figures.
 */
export function errorRate(counts: readonly Count[]): ErrorRate {
  const groups = groupBySpeaker(counts);
  const rate = ratio(groups);
  const drawn = { drawn: groups.length < counts.length ? 'speakers' : 'recordings', drawnFrom: groups.length } as const;
  if (rate === null || groups.length < 2) return { rate, interval: null, ...drawn };
  const random = createRandom(1);
  const rates: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const again = ratio(Array.from(groups, () => groups[Math.floor(random() * groups.length)]!));
    // A draw of recordings without tokens has no rate.
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
    const earlier = speaker === null ? undefined : speakers.get(speaker);
    const group = earlier ?? { errors: 0, length: 0 };
    if (earlier === undefined) groups.push(group);
    if (earlier === undefined && speaker !== null) speakers.set(speaker, group);
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
