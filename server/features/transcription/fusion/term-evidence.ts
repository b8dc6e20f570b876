import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import { soundDistance } from '@jyutsing/text/syllables/sound-distance';
import {
  FULL_DISTANCE,
  MIN_PROBABILITY,
  MIN_SIMILAR_PROBABILITY,
  MAX_DISTANCE,
  MAX_MEAN_DISTANCE,
  EXTRA_SYLLABLE_DISTANCE,
  MISSING_SYLLABLE_DISTANCE,
} from '@jyutsing/text/syllables/term-thresholds';

/** A syllable at the position of a term; `isFree`: no character stands for it. */
export type Candidate = { syllable: RecognizedSyllable; isFree: boolean };

/** The mean distance of a term to the syllables (0 is best), and its time span. */
export type Evidence = { distance: number; span: { startMs: number; endMs: number } | null };

/**
 * Compares the syllables of a term with the recognized ones; null when they are too far apart.
 * Close enough: every syllable shares onset or rime with a likely alternative, at least half agree
 * except for the tone, and the mean distance (`soundDistance`) is at most 0.25. So one of two
 * syllables may begin differently but not end differently; terms of three or more may have one
 * syllable too many, or one missing if `mayMiss` says that a character was recognized for it. A
 * single syllable must agree fully.
 */
export function findEvidence(
  reading: readonly string[],
  candidates: readonly Candidate[],
  mayMiss: boolean,
): Evidence | null {
  const width = candidates.length + 1;
  const count = reading.length;
  const distances = reading.map((syllable) => candidates.map((candidate) => distanceTo(candidate.syllable, syllable)));
  const costs = new Float64Array((count + 1) * width);
  const at = (i: number, j: number) => costs[i * width + j] ?? 0;
  /** Unassigned syllables before and after the term cost nothing. */
  const skipCost = (i: number, j: number) => {
    if (candidates[j - 1]?.isFree !== true) return MISSING_SYLLABLE_DISTANCE;
    return i === 0 || i === count ? 0 : EXTRA_SYLLABLE_DISTANCE;
  };
  const missCost = mayMiss ? MISSING_SYLLABLE_DISTANCE : Infinity;
  const pairCost = (i: number, j: number) => distances[i - 1]?.[j - 1] ?? Infinity;
  for (let i = 0; i <= count; i += 1) {
    for (let j = 0; j < width; j += 1) {
      if (i === 0 && j === 0) continue;
      costs[i * width + j] = Math.min(
        i > 0 && j > 0 ? at(i - 1, j - 1) + pairCost(i, j) : Infinity,
        i > 0 ? at(i - 1, j) + missCost : Infinity,
        j > 0 ? at(i, j - 1) + skipCost(i, j) : Infinity,
      );
    }
  }
  const mean = at(count, width - 1) / count;
  if (!(mean <= MAX_MEAN_DISTANCE)) return null;
  const pairs: { distance: number; syllable: RecognizedSyllable }[] = [];
  for (let [i, j] = [count, candidates.length]; i > 0;) {
    const here = at(i, j);
    const candidate = candidates[j - 1];
    if (candidate !== undefined && here === at(i - 1, j - 1) + pairCost(i, j)) {
      pairs.push({ distance: pairCost(i, j), syllable: candidate.syllable });
      [i, j] = [i - 1, j - 1];
    } else if (j > 0 && here === at(i, j - 1) + skipCost(i, j)) j -= 1;
    else i -= 1;
  }
  const full = pairs.filter(({ distance }) => distance <= FULL_DISTANCE).length;
  if (full < (count === 1 ? 1 : count / 2)) return null;
  const first = pairs.at(-1)?.syllable;
  const last = pairs[0]?.syllable;
  return {
    distance: mean,
    span: first === undefined || last === undefined ? null : { startMs: first.startMs, endMs: last.endMs },
  };
}

/** Infinity when no likely alternative shares onset or rime with the syllable. */
function distanceTo({ alternatives }: RecognizedSyllable, syllable: string): number {
  let minDistance = Infinity;
  for (const [rank, { reading, probability }] of alternatives.entries()) {
    if (probability < MIN_PROBABILITY) continue;
    const distance = soundDistance(reading, syllable);
    const isLikely = rank === 0 || probability >= MIN_SIMILAR_PROBABILITY;
    if (distance < minDistance && (distance <= FULL_DISTANCE || isLikely)) minDistance = distance;
  }
  return minDistance <= MAX_DISTANCE ? minDistance : Infinity;
}
