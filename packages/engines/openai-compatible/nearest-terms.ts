import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { soundDistance } from '@jyutsing/text/syllables/sound-distance';

/**
 * Mean syllable distance beyond which a term cannot have been spoken; checks of answers are
 * stricter.
 */
const MOST_MEAN_DISTANCE = 0.3;
/** Least probability of an alternative; less likely ones resemble everything. */
const LEAST_PROBABILITY = 0.1;

/**
 * Selects the terms that may occur in these segments, nearest first, among equals the longer and
 * weightier first, up to a limit. A corpus has thousands of terms, and a model would notice only
 * the first.
 */
export function nearestTerms(terms: readonly Term[], segments: readonly CorrectionSegment[], maxTerms: number): Term[] {
  const rows = segments.map(({ syllables }) => createRow(syllables));
  const near: { term: Term; distance: number; length: number }[] = [];
  for (const term of terms) {
    let distance = Infinity;
    for (const reading of term.readings) {
      for (const row of rows) distance = Math.min(distance, row(reading, Math.min(distance, MOST_MEAN_DISTANCE)));
    }
    if (distance <= MOST_MEAN_DISTANCE) near.push({ term, distance, length: term.readings[0]?.length ?? 0 });
  }
  return near
    .toSorted((a, b) => a.distance - b.distance || b.length - a.length || b.term.weight - a.term.weight)
    .slice(0, maxTerms)
    .map(({ term }) => term);
}

/**
 * Returns a function that measures the distance of a reading to the syllables of one segment;
 * Infinity beyond the maximum.
 */
function createRow(recognized: readonly RecognizedSyllable[]): (reading: readonly string[], most: number) => number {
  // Thousands of terms share some hundred syllables (without tones).
  const distances = new Map<string, Float64Array>();
  const distancesOf = (syllable: string): Float64Array => {
    const base = syllable.slice(0, -1);
    const cached = distances.get(base);
    if (cached !== undefined) return cached;
    const costs = Float64Array.from(recognized, (candidate) => distanceTo(candidate, syllable));
    distances.set(base, costs);
    return costs;
  };
  return (reading, maxMeanDistance) => {
    if (reading.length === 0 || reading.length > recognized.length) return Infinity;
    const rows = reading.map(distancesOf);
    let best = Infinity;
    for (let from = 0; from + reading.length <= recognized.length; from += 1) {
      let sum = 0;
      for (let at = 0; at < reading.length && sum <= maxMeanDistance * reading.length; at += 1)
        sum += rows[at]?.[from + at] ?? 1;
      best = Math.min(best, sum / reading.length);
    }
    return best;
  };
}

function distanceTo({ alternatives }: RecognizedSyllable, syllable: string): number {
  let least = 1;
  for (const [rank, { reading, probability }] of alternatives.entries()) {
    if (rank === 0 || probability >= LEAST_PROBABILITY) least = Math.min(least, soundDistance(reading, syllable));
  }
  return least;
}
