import { mean } from '@jyutsing/numeric/statistics';
import { isOpen, type Sounds, type SyllableParts } from './sounds.ts';
import { syllableOf, VOICE_RATE_HZ, type StoredUnit, type UnitCuts } from './voice-file.ts';

export const MS = VOICE_RATE_HZ / 1_000;
/** Distance of two places without voice, in samples. */
export const UNVOICED_STEP = 120;
const MAX_JITTER = 0.05;

/**
 * A recorded syllable, ready to be resynthesized: a place in every period of the voice, and places
 * between.
 */
export type Unit = UnitCuts & {
  label: string;
  parts: SyllableParts;
  isVoiced: Uint8Array;
  /** Samples from each place to the next. */
  periods: Int32Array;
  /** Length of each period relative to the mean of those around it. */
  jitter: Float32Array;
  /**
   * Semitones from the speaker's middle register at each voiced place, and the indexes of the
   * voiced places.
   */
  contour: Float32Array;
  voicedMarks: Int32Array;
};

/** A unit with its decoded sound, and with the levels of that (`levelsOf`). */
export type SoundingUnit = Unit & { samples: Float32Array; levels: Float32Array };

export function createUnit(stored: StoredUnit, { partsOf, middleHz }: Sounds): Unit {
  const { label, start, rime, coda, end, marks } = stored;
  const voicedPeriods = Array.from(marks, (mark, i) =>
    i + 1 < marks.length ? marks[i + 1]! - mark : mark - (marks[i - 1] ?? mark - UNVOICED_STEP),
  );
  const smooth = smoothed(voicedPeriods);
  const before: number[] = [];
  const first = (marks[0] ?? rime) - 0.6 * (voicedPeriods[0] ?? UNVOICED_STEP);
  for (let at = start; at < first; at += UNVOICED_STEP) before.push(at);
  const after: number[] = [];
  const last = (marks.at(-1) ?? rime) + (voicedPeriods.at(-1) ?? UNVOICED_STEP);
  for (let at = last; at < end; at += UNVOICED_STEP) after.push(at);
  const around = (fill: number, inside: readonly number[]) => [
    ...before.map(() => fill),
    ...inside,
    ...after.map(() => fill),
  ];
  return {
    label,
    parts: partsOf(syllableOf(label)),
    start,
    rime,
    coda,
    end,
    marks: Int32Array.from([...before, ...marks, ...after]),
    isVoiced: Uint8Array.from(
      around(
        0,
        voicedPeriods.map(() => 1),
      ),
    ),
    periods: Int32Array.from(around(UNVOICED_STEP, voicedPeriods)),
    jitter: Float32Array.from(
      around(
        1,
        voicedPeriods.map((period, i) => Math.min(1 + MAX_JITTER, Math.max(1 - MAX_JITTER, period / smooth[i]!))),
      ),
    ),
    contour: Float32Array.from(smooth, (period) => 12 * Math.log2(VOICE_RATE_HZ / period / middleHz)),
    voicedMarks: marks,
  };
}

/** Returns the recorded contour at a share of the voiced part, in semitones from the middle. */
export function contourAt({ contour, voicedMarks, start, rime, end, parts }: Unit, share: number): number {
  if (contour.length === 0) return 0;
  const from = isOpen(parts) ? start : rime;
  // The first and last periods of a recording are uncertain.
  const at = Math.min(end - 10 * MS, Math.max(from + 15 * MS, from + share * (end - from)));
  const next = voicedMarks.findIndex((mark) => mark >= at);
  if (next === -1) return contour.at(-1)!;
  if (next === 0) return contour[0]!;
  const [a, b] = [voicedMarks[next - 1]!, voicedMarks[next]!];
  return contour[next - 1]! + ((contour[next]! - contour[next - 1]!) * (at - a)) / (b - a);
}

/** Returns the index of the place nearest to a sample. */
export function nearestMark({ marks }: Pick<Unit, 'marks'>, sample: number): number {
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]! < sample) low = middle + 1;
    else high = middle;
  }
  return low > 0 && sample - marks[low - 1]! < marks[low]! - sample ? low - 1 : low;
}

/** Computes means over seven neighbours. */
function smoothed(values: readonly number[]): number[] {
  return values.map((_, i) => mean(values.slice(Math.max(0, i - 3), i + 4)));
}
