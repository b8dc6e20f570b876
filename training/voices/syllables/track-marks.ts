import { filterBothWays, MS, RATE_HZ } from './signal.ts';

/** Distance of two pitch frames, samples. */
export const HOP = 120;
const FRAME = Math.round(30 * MS);
/** The voice's pitch is searched at half the rate. */
const STEP = 2;
/** Lowest correlation and level of a voiced frame. */
const VOICED_CORRELATION = 0.6;
const VOICED_DB = -32;

/**
 * Pitch every `HOP` samples, 0 where there is no voice, from the normalized correlation of 30 ms
 * with what follows. Searches `lowHz`..`highHz` only: free tracking halves rising tones.
 */
export function trackPitchWithin(x: Float64Array, lowHz: number, highHz: number): Float64Array {
  const low = filterBothWays(x, 'low', 1_000, 4);
  const [size, least, most] = [FRAME / STEP, Math.floor(RATE_HZ / STEP / highHz), Math.ceil(RATE_HZ / STEP / lowHz)];
  // Zeros on both sides keep all reads inside.
  const margin = 2 * (size + most);
  const half = new Float64Array(Math.ceil(low.length / STEP) + 2 * margin);
  for (let i = 0; i * STEP < low.length; i += 1) half[margin + i] = low[i * STEP]!;
  const total = new Float64Array(half.length + 1);
  for (let i = 0; i < half.length; i += 1) total[i + 1] = total[i]! + half[i]! ** 2;
  const count = Math.max(1, Math.floor(x.length / HOP));
  const pitch = new Float64Array(count);
  const energy = new Float64Array(count);
  const scores = new Float64Array(most + 2);
  for (let frame = 0; frame < count; frame += 1) {
    const from = margin + (frame * HOP) / STEP - size / 2 - (most >> 1);
    const ownPower = total[from + size]! - total[from]!;
    energy[frame] = ownPower;
    let best = 0;
    for (let lag = least - 1; lag <= most + 1; lag += 1) {
      let sum = 0;
      for (let i = 0; i < size; i += 1) sum += half[from + i]! * half[from + lag + i]!;
      const likeness = sum / Math.sqrt(ownPower * (total[from + lag + size]! - total[from + lag]!) + 1e-9);
      // Prefer the shorter of two periods that fit.
      scores[lag] = likeness - (0.25 * lag * STEP) / 387;
      if (lag >= least && lag <= most && (best === 0 || scores[lag]! > scores[best]!)) best = lag;
    }
    const likeness = scores[best]! + (0.25 * best * STEP) / 387;
    if (likeness > VOICED_CORRELATION) pitch[frame] = RATE_HZ / STEP / peakNear(scores, best);
  }
  const loudest = energy.reduce((a, b) => Math.max(a, b), 1e-12);
  return pitch.map((hz, i) => (10 * Math.log10(energy[i]! / loudest + 1e-12) > VOICED_DB ? hz : 0));
}

function powerOf(x: Float64Array, from: number, size: number): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < Math.min(x.length, from + size); i += 1) sum += x[i]! ** 2;
  return sum;
}

/** The top of a parabola through three neighbours. */
function peakNear(scores: Float64Array, at: number): number {
  const [a, b, c] = [scores[at - 1]!, scores[at]!, scores[at + 1]!];
  const curve = a - 2 * b + c;
  return curve < 0 ? at + Math.max(-0.5, Math.min(0.5, (a - c) / (2 * curve))) : at;
}

/**
 * One mark in every period between `from` and `to`: from the loudest place both ways, each time
 * where the wave resembles the one before most.
 */
export function placeMarks(x: Float64Array, pitch: Float64Array, from: number, to: number): Int32Array {
  const smooth = filterBothWays(x, 'low', 900);
  const periodAt = periodOf(pitch);
  let loudest = from;
  let most = -1;
  for (let t = from; t < to; t += 60) {
    const power = powerOf(x, t - 240, 480);
    if (power > most) [loudest, most] = [t, power];
  }
  let [top, bottom] = [0, 0];
  for (let i = from; i < to; i += 1) [top, bottom] = [Math.max(top, smooth[i]!), Math.min(bottom, smooth[i]!)];
  const sign = top > -bottom ? 1 : -1;
  const p = Math.round(periodAt(loudest));
  let first = Math.max(0, loudest - (p >> 1));
  for (let i = first; i < first + p; i += 1) if (sign * (smooth[i] ?? 0) > sign * smooth[first]!) first = i;
  const marks = [first];
  for (const way of [1, -1]) {
    for (let mark = first; ;) {
      const period = periodAt(mark);
      const half = Math.floor(period * 0.6);
      const near = Math.round(mark + way * period * (way > 0 ? 0.82 : 1.18));
      const far = Math.round(mark + way * period * (way > 0 ? 1.18 : 0.82));
      if (way < 0 && near - half < Math.max(0, from - period)) break;
      if (way > 0 && far + half >= Math.min(x.length, to + period)) break;
      mark = mostAlike(smooth, mark, { near, far, half, sign });
      marks.push(mark);
    }
  }
  return Int32Array.from(marks.toSorted((a, b) => a - b));
}

function mostAlike(
  smooth: Float64Array,
  mark: number,
  { near, far, half, sign }: { near: number; far: number; half: number; sign: number },
): number {
  const ownLevel = Math.sqrt(powerOf(smooth, mark - half, 2 * half));
  let top = 1e-6;
  for (let k = near; k < far; k += 1) top = Math.max(top, Math.abs(smooth[k]!));
  let best = near;
  let most = -Infinity;
  for (let k = near; k < far; k += 1) {
    let sum = 0;
    for (let i = -half; i < half; i += 1) sum += smooth[mark + i]! * smooth[k + i]!;
    const score =
      sum / (Math.sqrt(powerOf(smooth, k - half, 2 * half)) + 1e-6) + (0.15 * ownLevel * sign * smooth[k]!) / top;
    if (score > most) [best, most] = [k, score];
  }
  return best;
}

/** The period at a sample, filled in between voiced frames. */
function periodOf(pitch: Float64Array): (sample: number) => number {
  const voiced = [...pitch.keys()].filter((i) => pitch[i]! > 0);
  const filled = Float64Array.from(pitch, (hz, i) => {
    if (hz > 0) return hz;
    const after = voiced.find((v) => v > i);
    const before = voiced.findLast((v) => v < i);
    if (before === undefined || after === undefined) return pitch[before ?? after!]!;
    return pitch[before]! + ((pitch[after]! - pitch[before]!) * (i - before)) / (after - before);
  });
  return (sample) => RATE_HZ / filled[Math.min(filled.length - 1, Math.max(0, Math.floor(sample / HOP)))]!;
}
