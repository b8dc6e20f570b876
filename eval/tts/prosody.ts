import { mean, quantile, standardDeviation } from '@jyutsing/numeric/statistics';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import { createRealFft } from '@jyutsing/numeric/real-fft';
import { JUDGED_RATE_HZ, melFrames } from './human-likeness.ts';

/** A syllable of a recording, in seconds; its pitch in semitones at equal intervals, if voiced. */
export type SpokenSyllable = { from: number; to: number; tone: number; contour: readonly number[] };

/** A recording at `JUDGED_RATE_HZ` and its syllables, in order. */
export type AlignedClip = { samples: Float32Array; syllables: readonly SpokenSyllable[] };

/** How a group of speakers moves from sound to sound; lists have an entry per observation. */
export type Prosody = {
  /** Change of the spectrum over joins of syllables without a pause, dB. */
  joins: number[];
  /** Durations of syllables, seconds. */
  durations: number[];
  /** Syllables a second of a recording, without its pauses. */
  rates: number[];
  /** Distance of the 5th and the 95th percentile of the pitch in a recording, semitones. */
  ranges: number[];
  /** Fall of the pitch in a recording, semitones a second. */
  falls: number[];
  /** Standard deviation of the level in a recording, dB. */
  levels: number[];
  /** Mean change of the spectrum in 10 ms, over the speech of a recording, dB. */
  steps: number[];
  /** Share of the movements of the level from 1 to 32 Hz that has the rate of syllables, 4–8 Hz. */
  regularity: number[];
  /** Mean contour of each tone, semitones. */
  contours: Map<number, number[]>;
};

const HOP_SECONDS = 0.01;
/** Frames on each side of a join: from 10 to 30 ms away. */
const NEAR = 1;
const FAR = 3;
/** Syllables farther apart have a pause between them. */
const PAUSE_SECONDS = 0.06;
/** Frames this far below the loudest are pauses. */
const PAUSE_DB = -30;
/** Bins of durations, seconds; longer ones count in the last. */
const BIN_SECONDS = 0.06;
const BINS = 9;
const MIN_PITCH_FRAMES = 40;

/** Measures the joins, rhythm, pitch and energy of a group of clips. */
export function measureProsody(clips: readonly AlignedClip[]): Prosody {
  const prosody: Prosody = {
    joins: [],
    durations: [],
    rates: [],
    ranges: [],
    falls: [],
    levels: [],
    steps: [],
    regularity: [],
    contours: new Map(),
  };
  const sums = new Map<number, { count: number; total: number[] }>();
  for (const { samples, syllables } of clips) {
    const frames = melFrames(samples);
    const levels = levelsOf(frames);
    prosody.levels.push(standardDeviation(spokenLevels(levels), 0));
    prosody.steps.push(meanStep(frames, levels));
    prosody.regularity.push(syllabicShare(levels));
    const spoken = syllables.reduce((sum, { from, to }) => sum + to - from, 0);
    if (spoken > 0) prosody.rates.push(syllables.length / spoken);
    const pitch = pitchPoints(samples);
    if (pitch.length >= MIN_PITCH_FRAMES) {
      const semitones = pitch.map((point) => point.semitones);
      prosody.ranges.push(quantile(semitones, 0.95, 0) - quantile(semitones, 0.05, 0));
      prosody.falls.push(-slope(pitch));
    }
    for (const [index, { from, to, tone, contour }] of syllables.entries()) {
      prosody.durations.push(to - from);
      const next = syllables[index + 1];
      if (next !== undefined && next.from - to < PAUSE_SECONDS) {
        const change = changeAt(frames, (to + next.from) / 2 / HOP_SECONDS);
        if (change !== null) prosody.joins.push(change);
      }
      if (contour.length > 0) add(sums, tone, contour);
    }
  }
  for (const [tone, { count, total }] of sums) {
    prosody.contours.set(
      tone,
      total.map((sum) => sum / count),
    );
  }
  return prosody;
}

/** Kullback-Leibler divergence of durations from those of a reference, nats. */
export function durationDivergence(durations: readonly number[], reference: readonly number[]): number {
  const [p, q] = [histogram(reference), histogram(durations)];
  return p.reduce((sum, share, bin) => sum + share * Math.log(share / q[bin]!), 0);
}

/** Root mean square distance of the mean contours of all tones that both have, semitones. */
export function contourError(contours: Prosody['contours'], reference: Prosody['contours']): number {
  let sum = 0;
  let count = 0;
  for (const [tone, expected] of reference) {
    for (const [at, value] of (contours.get(tone) ?? []).entries()) {
      sum += (value - expected[at]!) ** 2;
      count += 1;
    }
  }
  return Math.sqrt(sum / Math.max(1, count));
}

/** Every bin holds at least half an observation, so that no divergence is infinite. */
function histogram(durations: readonly number[]): number[] {
  const counts = Array.from({ length: BINS }, () => 0.5);
  for (const seconds of durations) counts[Math.min(BINS - 1, Math.floor(seconds / BIN_SECONDS))]! += 1;
  const total = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => count / total);
}

function changeAt(frames: readonly Float64Array[], at: number): number | null {
  const middle = Math.round(at);
  const before = frames.slice(Math.max(0, middle - FAR), Math.max(0, middle - NEAR + 1));
  const after = frames.slice(middle + NEAR, middle + FAR + 1);
  if (before.length === 0 || after.length === 0) return null;
  const bands = before[0]!.length;
  let sum = 0;
  for (let band = 0; band < bands; band += 1) sum += (meanOf(after, band) - meanOf(before, band)) ** 2;
  return Math.sqrt(sum / bands);
}

function meanOf(frames: readonly Float64Array[], band: number): number {
  return mean(frames.map((bands) => bands[band]!));
}

function levelsOf(frames: readonly Float64Array[]): number[] {
  return frames.map((bands) => 10 * Math.log10(bands.reduce((sum, db) => sum + 10 ** (db / 10), 0)));
}

const quietest = (levels: readonly number[]) => quantile(levels, 0.98, 0) + PAUSE_DB;

function spokenLevels(levels: readonly number[]): number[] {
  const least = quietest(levels);
  return levels.filter((level) => level > least);
}

/** Root mean square difference of neighbouring frames with speech. */
function meanStep(frames: readonly Float64Array[], levels: readonly number[]): number {
  const least = quietest(levels);
  let [sum, count] = [0, 0];
  for (let i = 1; i < frames.length; i += 1) {
    if (levels[i]! <= least || levels[i - 1]! <= least) continue;
    const squares = frames[i]!.reduce((total, db, band) => total + (db - frames[i - 1]![band]!) ** 2, 0);
    sum += Math.sqrt(squares / frames[i]!.length);
    count += 1;
  }
  return sum / Math.max(1, count);
}

/** Recordings of up to ten seconds; the rest of longer ones is left out. */
const MODULATION = createRealFft(1_024);
const modulationBin = (hz: number): number => Math.round(hz * HOP_SECONDS * MODULATION.size);

function syllabicShare(levels: readonly number[]): number {
  const least = quietest(levels) - 10;
  const inside = levels.slice(0, MODULATION.size).map((level) => Math.max(least, level));
  const average = mean(inside, 0);
  const signal = new Float64Array(MODULATION.size);
  for (const [i, level] of inside.entries())
    signal[i] = (level - average) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / inside.length));
  const [re, im] = [new Float64Array(MODULATION.size / 2 + 1), new Float64Array(MODULATION.size / 2 + 1)];
  MODULATION.forward(signal, re, im);
  const between = (lowHz: number, highHz: number) => {
    let sum = 0;
    for (let k = modulationBin(lowHz); k < modulationBin(highHz); k += 1) sum += re[k]! ** 2 + im[k]! ** 2;
    return sum;
  };
  return between(4, 8) / Math.max(1e-9, between(1, 32));
}

type PitchPoint = { seconds: number; semitones: number };

function pitchPoints(samples: Float32Array): PitchPoint[] {
  return Array.from(trackPitch(samples, JUDGED_RATE_HZ).pitchHz, (hz, index) => ({
    seconds: index * 0.005,
    semitones: 12 * Math.log2(hz),
  })).filter(({ semitones }) => Number.isFinite(semitones));
}

/** Least squares, semitones a second. */
function slope(points: readonly PitchPoint[]): number {
  const meanSeconds = mean(points.map(({ seconds }) => seconds));
  let [over, under] = [0, 0];
  for (const { seconds, semitones } of points) {
    over += (seconds - meanSeconds) * semitones;
    under += (seconds - meanSeconds) ** 2;
  }
  return over / under;
}

function add(sums: Map<number, { count: number; total: number[] }>, tone: number, contour: readonly number[]): void {
  const sum = sums.get(tone) ?? { count: 0, total: contour.map(() => 0) };
  sum.count += 1;
  for (const [at, value] of contour.entries()) sum.total[at] = (sum.total[at] ?? 0) + value;
  sums.set(tone, sum);
}
