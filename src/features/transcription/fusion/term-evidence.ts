import type { HeardSyllable } from '#contracts/transcript.ts';
import { soundDistance } from '#language/sound-distance.ts';

/** What was heard less likely than this was not heard. */
export const LEAST_PROBABILITY = 0.01;
/** What only resembles a syllable of a term must have been likely itself; else among many alternatives something always resembles. */
const LEAST_PROBABILITY_OF_LIKENESS = 0.1;
/** Without tone, a coda of another place (-n for -ng) is the most that still counts as full agreement. */
const FULL_DISTANCE = 0.1;
/** The onset or the rime is shared; the distance of two syllables that share only the onset. */
const MOST_DISTANCE = 0.551;
/** On average over the syllables of a term: one of two may begin differently, one of three may be another but for its onset. */
const MOST_MEAN_DISTANCE = 0.25;
/** Of a syllable of the term that nobody heard, or of a character's that the term has not: one in three is the most. */
const GAP_COST = 0.6;
/** Of a syllable that was heard inside the term, and that no character stood for before. */
const FREE_GAP_COST = 0.3;

/** A syllable that was heard where the term shall stand; `isFree`: no character stood for it. */
export type Candidate = { syllable: HeardSyllable; isFree: boolean };

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
    if (candidates[j - 1]?.isFree !== true) return GAP_COST;
    return i === 0 || i === count ? 0 : FREE_GAP_COST;
  };
  const missCost = mayMiss ? GAP_COST : Infinity;
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
  if (!(mean <= MOST_MEAN_DISTANCE)) return null;
  const pairs: { distance: number; syllable: HeardSyllable }[] = [];
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
function distanceTo({ alternatives }: HeardSyllable, syllable: string): number {
  let least = Infinity;
  for (const [rank, { reading, probability }] of alternatives.entries()) {
    if (probability < LEAST_PROBABILITY) continue;
    const distance = soundDistance(reading, syllable);
    const isLikely = rank === 0 || probability >= LEAST_PROBABILITY_OF_LIKENESS;
    if (distance < least && (distance <= FULL_DISTANCE || isLikely)) least = distance;
  }
  return least <= MOST_DISTANCE ? least : Infinity;
}
