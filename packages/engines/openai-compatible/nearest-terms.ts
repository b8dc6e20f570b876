import type { RecognizedSyllable } from '@jyutsing/contracts/transcript';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { soundDistance } from '@jyutsing/text/syllables/sound-distance';

/**
 * Mean syllable distance beyond which a term cannot have been spoken; checks of answers are
 * stricter.
 */
const MOST_MEAN_DISTANCE = 0.3;
/** Less likely alternatives resemble everything. */
const LEAST_PROBABILITY = 0.1;

/**
 * The terms that may occur in these segments, nearest first, among equals the longer and weightier
 * first, up to a limit. A corpus has thousands of terms, and a model would notice only the
 * first.
 */
export function nearestTerms(terms: readonly Term[], segments: readonly CorrectionSegment[], most: number): Term[] {
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
    .slice(0, most)
    .map(({ term }) => term);
}

/** Measures the distance of a reading to the syllables of one segment; Infinity beyond `most`. */
function createRow(recognized: readonly RecognizedSyllable[]): (reading: readonly string[], most: number) => number {
  // Thousands of terms share some hundred syllables (without tones).
  const distances = new Map<string, Float64Array>();
  const distancesOf = (syllable: string): Float64Array => {
    const base = syllable.slice(0, -1);
    const cached = distances.get(base);
    if (cached !== undefined) return cached;
    const found = Float64Array.from(recognized, (each) => distanceTo(each, syllable));
    distances.set(base, found);
    return found;
  };
  return (reading, most) => {
    if (reading.length === 0 || reading.length > recognized.length) return Infinity;
    const rows = reading.map(distancesOf);
    let best = Infinity;
    for (let from = 0; from + reading.length <= recognized.length; from += 1) {
      let sum = 0;
      for (let at = 0; at < reading.length && sum <= most * reading.length; at += 1) sum += rows[at]?.[from + at] ?? 1;
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
