import { symbolCount } from './labels.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

/** One candidate syllable for a range of frames. Onset −1 is the zero onset; tone 0 is tone 1. */
export type SyllableCandidate = {
  onset: number;
  rime: number;
  tone: number;
  /** Log-probability that the stretch contains exactly this syllable. */
  logp: number;
  /** Log-probability of onset and rime with any tone. */
  segmentalLogp: number;
  /** Log-probability of the tone given the rime's frames. */
  toneLogp: number;
  /** Frames of its symbols: the first, and the one after the last. */
  startFrame: number;
  endFrame: number;
};

/** Largest number of onsets and rimes tried in a range; more only cost time. */
const TRIED_ONSETS = 6;
const TRIED_RIMES = 7;
/** Margin below the best pair of onset and rime within which others are kept. */
const SEGMENT_MARGIN = 12;
/** Least peak, as a log-probability, at which a symbol is tried. */
const SYMBOL_FLOOR = -11;
/**
 * Log-probability of the blank above which frames at the ends of a stretch are passed over in one
 * step.
 */
const SURE_BLANK = -0.005;
/** Share of a rime's peak down to which frames belong to the rime. */
const OWN_FRAME_SHARE = 0.2;

/** Sums the blank's log-probabilities over a range: the score of silence. */
export function silenceLogp(posteriors: Posteriors, labels: AcousticLabels, start: number, end: number): number {
  const width = symbolCount(labels);
  let sum = 0;
  for (let frame = start; frame < end; frame++) sum += posteriors.symbolLogp[frame * width] ?? 0;
  return sum;
}

/**
 * Finds every plausible syllable in frames `start` to `end`, best first. Segments are scored by the
 * CTC forward recursion (Graves et al. 2006) over [onset] rime within the range; tones by the tone
 * head at the frames of the rime, which equals the joint probability of rime and tone.
 */
export function findCandidates(
  posteriors: Posteriors,
  labels: AcousticLabels,
  start: number,
  end: number,
): SyllableCandidate[] {
  const width = symbolCount(labels);
  const logp = posteriors.symbolLogp;
  let from = start;
  let to = end;
  while (from < to && (logp[from * width] ?? 0) > SURE_BLANK) from++;
  while (to > from && (logp[(to - 1) * width] ?? 0) > SURE_BLANK) to--;
  if (from === to) return [];
  const outside = silenceLogp(posteriors, labels, start, from) + silenceLogp(posteriors, labels, to, end);
  const firstRime = 1 + labels.onsets.length;
  const stretch: Stretch = { logp, width, from, to };
  const onsets = topSymbols(stretch, 1, firstRime, TRIED_ONSETS);
  const rimes = topSymbols(stretch, firstRime, width, TRIED_RIMES);
  const segments = rimes.flatMap((rime) =>
    [null, ...onsets].map((onset) => ({
      rime,
      onset,
      segmentalLogp: outside + forwardLogp(stretch, onset?.column ?? -1, rime.column),
    })),
  );
  const floor = segments.reduce((top, { segmentalLogp }) => Math.max(top, segmentalLogp), -Infinity) - SEGMENT_MARGIN;
  const candidates: SyllableCandidate[] = [];
  for (const rime of rimes) {
    const tones = toneLogps(posteriors, labels, rime, from, to);
    for (const { onset, segmentalLogp } of segments.filter((segment) => segment.rime === rime)) {
      // The comparison is false for NaN, which is skipped, too.
      if (!(segmentalLogp >= floor) || segmentalLogp === -Infinity) continue;
      const firstFrame = onset === null || onset.peak > rime.peak ? rime.first : Math.min(onset.peak, rime.first);
      tones.forEach((toneLogp, tone) => {
        candidates.push({
          onset: onset === null ? -1 : onset.column - 1,
          rime: rime.column - firstRime,
          tone,
          logp: segmentalLogp + toneLogp,
          segmentalLogp,
          toneLogp,
          startFrame: firstFrame,
          endFrame: rime.last + 1,
        });
      });
    }
  }
  return candidates.sort((a, b) => b.logp - a.logp);
}

type SymbolPeak = { column: number; logp: number; peak: number; first: number; last: number };

/** Frames `from` to `to` of log-probabilities, `width` symbols in each frame. */
type Stretch = { logp: Float32Array; width: number; from: number; to: number };

/** The columns from `firstColumn` to `endColumn` with the highest peaks, at most `limit`. */
function topSymbols(
  { logp, width, from, to }: Stretch,
  firstColumn: number,
  endColumn: number,
  limit: number,
): SymbolPeak[] {
  const peaks: SymbolPeak[] = [];
  for (let column = firstColumn; column < endColumn; column++) {
    let best = SYMBOL_FLOOR;
    let peak = -1;
    for (let frame = from; frame < to; frame++) {
      const value = logp[frame * width + column] ?? -Infinity;
      if (value > best) {
        best = value;
        peak = frame;
      }
    }
    if (peak >= 0) peaks.push({ column, logp: best, peak, first: peak, last: peak });
  }
  peaks.sort((a, b) => b.logp - a.logp);
  peaks.length = Math.min(peaks.length, limit);
  for (const symbol of peaks) {
    const floor = symbol.logp + Math.log(OWN_FRAME_SHARE);
    while (symbol.first > from && (logp[(symbol.first - 1) * width + symbol.column] ?? -Infinity) > floor)
      symbol.first--;
    while (symbol.last < to - 1 && (logp[(symbol.last + 1) * width + symbol.column] ?? -Infinity) > floor)
      symbol.last++;
  }
  return peaks;
}

/**
 * CTC forward probability of blank* [onset+ blank*] rime+ blank*, frame by frame scaled against
 * underflow.
 */
function forwardLogp({ logp, width, from, to }: Stretch, onset: number, rime: number): number {
  let before = 1;
  let inOnset = 0;
  let between = 0;
  let inRime = 0;
  let after = 0;
  let scaleLogp = 0;
  for (let frame = from; frame < to; frame++) {
    const row = frame * width;
    const blank = Math.exp(logp[row] ?? -Infinity);
    const rimeP = Math.exp(logp[row + rime] ?? -Infinity);
    after = (after + inRime) * blank;
    if (onset < 0) {
      inRime = (inRime + before) * rimeP;
    } else {
      inRime = (inRime + between + inOnset) * rimeP;
      between = (between + inOnset) * blank;
      inOnset = (inOnset + before) * Math.exp(logp[row + onset] ?? -Infinity);
    }
    before *= blank;
    const total = before + inOnset + between + inRime + after;
    if (total === 0) return -Infinity;
    before /= total;
    inOnset /= total;
    between /= total;
    inRime /= total;
    after /= total;
    scaleLogp += Math.log(total);
  }
  return scaleLogp + Math.log(inRime + after);
}

function toneLogps(
  posteriors: Posteriors,
  labels: AcousticLabels,
  rime: SymbolPeak,
  from: number,
  to: number,
): number[] {
  const { tones } = labels;
  const width = symbolCount(labels);
  const sums = Array.from({ length: tones }, () => 0);
  let weightSum = 0;
  for (let frame = Math.max(from, rime.first); frame <= Math.min(to - 1, rime.last); frame++) {
    const weight = Math.exp(posteriors.symbolLogp[frame * width + rime.column] ?? -Infinity);
    weightSum += weight;
    for (let tone = 0; tone < tones; tone++) {
      sums[tone] = (sums[tone] ?? 0) + weight * Math.exp(posteriors.toneLogp[frame * tones + tone] ?? -Infinity);
    }
  }
  return sums.map((sum) => Math.log(Math.max(sum / Math.max(weightSum, 1e-30), 1e-6)));
}
