import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import { soundDistance } from '@jyutsing/text/sound-distance';
import {
  FULL_DISTANCE,
  MIN_PROBABILITY,
  MIN_SIMILAR_PROBABILITY,
  MAX_DISTANCE,
  MAX_MEAN_DISTANCE,
  EXTRA_SYLLABLE_DISTANCE,
  MISSING_SYLLABLE_DISTANCE,
} from '@jyutsing/text/term-thresholds';

/** A syllable that was heard where the term shall stand; `isFree`: no character stood for it. */
export type Candidate = { syllable: RecognizedSyllable; isFree: boolean };

/** How near a term is to what was heard (mean distance, 0 is best), and the stretch of sound that stands for it. */
export type Evidence = { distance: number; span: { startMs: number; endMs: number } | null };

/**
 * Whether the syllables of a term are near enough to what was heard to be taken for it; null when they are not. Near enough: every
 * syllable shares its onset or its rime with something likely there, at least half agree fully but for the tone, and the mean distance
 * (`soundDistance`) is at most 0.25. So one of two syllables may begin differently but not end differently, and a syllable may be
 * too many in terms of three or more; or missing, where `mayMiss` says that a character was recognised for it all the same. A single
 * syllable must agree fully.
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
  /** What is heard before and after the term, and belongs to nothing, is not its business. */
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

/** Infinity when nothing that was heard shares onset or rime with the syllable. */
function distanceTo({ alternatives }: RecognizedSyllable, syllable: string): number {
  let least = Infinity;
  for (const [rank, { reading, probability }] of alternatives.entries()) {
    if (probability < MIN_PROBABILITY) continue;
    const distance = soundDistance(reading, syllable);
    const isLikely = rank === 0 || probability >= MIN_SIMILAR_PROBABILITY;
    if (distance < least && (distance <= FULL_DISTANCE || isLikely)) least = distance;
  }
  return least <= MAX_DISTANCE ? least : Infinity;
}
