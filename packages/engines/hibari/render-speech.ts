import { createRandom } from '@jyutsing/numeric/random';
import { createRealFft } from '@jyutsing/numeric/real-fft';
import { exponential, setBent, setPolar, type Complex } from './fast-math.ts';
import { BINS, HOP, WINDOW, type SpectralFrame } from './spectra.ts';

/** Largest logarithm of an amplitude. */
const MOST = 7;
/** The logarithm of an amplitude whose sound is 100 dB below that of a voice. */
const INAUDIBLE = -8;
/** The Hann window of every frame. */
const hann = Float64Array.from({ length: WINDOW }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW));
/** The number of the last hop of a window. */
const LAST = WINDOW / HOP - 1;
/** The window of the pulses, with the gain that gives the filter of a harmonic its amplitude. */
const source = hann.map((weight) => weight / HOP);

const turned: Complex = { re: 0, im: 0 };

const TABLE = 1 << 16;
/** Normally distributed numbers, the same in every process. */
const normal = normalNumbers(TABLE);

export type SpeechRenderer = {
  /**
   * Adds the next frame and returns the sound that no later frame can change: `HOP` samples, none
   * for the first two frames.
   */
  push(frame: SpectralFrame): Float32Array<ArrayBuffer>;
  /** Returns the rest: n frames make n × `HOP` samples. */
  end(): Float32Array<ArrayBuffer>[];
};

/**
 * Makes sound of spectra: the spectrum of the pulses through the filter `tone`, noise through
 * `noise`, and the spectrum `free`, added and transformed back with overlapping windows. `pulses`
 * has `HOP` samples for each frame to come. Deterministic for a seed.
 */
export function createSpeechRenderer(pulses: Float32Array, seed: number): SpeechRenderer {
  const fft = createRealFft(WINDOW);
  const random = createRandom(seed);
  const signal = new Float64Array(WINDOW);
  const re = new Float64Array(BINS);
  const im = new Float64Array(BINS);
  // The sound of a window lies around its frame, so the first half window is before the beginning.
  const sum = new Float64Array(WINDOW);
  let frames = 0;
  let skipped = WINDOW / 2;

  const addWindow = () => {
    for (let n = 0; n < WINDOW; n += 1) sum[n] = sum[n]! + signal[n]! * hann[n]!;
  };
  /** Takes the next hop, over which the windows `first` to `last` lie, counted from the latest. */
  const take = (first: number, last: number): Float32Array<ArrayBuffer> => {
    const dropped = Math.min(HOP, skipped);
    skipped -= dropped;
    const samples = new Float32Array(HOP - dropped);
    for (let n = dropped; n < HOP; n += 1) samples[n - dropped] = sum[n]! / weightOf(n, first, last);
    sum.copyWithin(0, HOP);
    sum.fill(0, WINDOW - HOP);
    return samples;
  };

  return {
    push(frame) {
      if (readWindow(pulses, frames * HOP - WINDOW / 2, signal)) fft.forward(signal, re, im);
      else for (const part of [re, im]) part.fill(0);
      combine(frame, re, im, Math.floor(random() * TABLE));
      fft.inverse(re, im, signal);
      addWindow();
      frames += 1;
      return take(0, Math.min(LAST, frames - 1));
    },
    end: () => [1, 2].map((first) => take(first, Math.min(LAST, frames - 1 + first))),
  };
}

/** The sum of the squares of the windows over a sample of a hop; of all four it is 1.5. */
function weightOf(n: number, first: number, last: number): number {
  if (last - first === LAST) return 1.5;
  let weight = 1e-11;
  for (let window = first; window <= last; window += 1) weight += hann[window * HOP + n]! ** 2;
  return weight;
}

/** Reads a window of the pulses, which are reflected at both ends; false when it has none. */
function readWindow(pulses: Float32Array, from: number, window: Float64Array): boolean {
  const last = pulses.length - 1;
  let isVoiced = false;
  for (let n = 0; n < WINDOW; n += 1) {
    let at = from + n;
    if (at < 0) at = -at;
    if (at > last) at = Math.max(0, 2 * last - at);
    const pulse = pulses[at]!;
    if (pulse !== 0) isVoiced = true;
    window[n] = pulse * source[n]!;
  }
  return isVoiced;
}

/** Adds the parts of a frame to the spectrum of its pulses, in place. */
function combine(frame: SpectralFrame, re: Float64Array, im: Float64Array, noiseFrom: number): void {
  const { tone, tonePhase, noise, free, freePhase } = frame;
  for (let k = 0; k < BINS; k += 1) {
    const toneLog = tone[k]!;
    const freeLog = free[k]!;
    const noiseLog = noise[k]!;
    let sumRe = 0;
    let sumIm = 0;
    if (toneLog > INAUDIBLE && (re[k] !== 0 || im[k] !== 0)) {
      setBent(exponential(toneLog > MOST ? MOST : toneLog), tonePhase[k]!, turned);
      sumRe = re[k]! * turned.re - im[k]! * turned.im;
      sumIm = re[k]! * turned.im + im[k]! * turned.re;
    }
    if (freeLog > INAUDIBLE) {
      setPolar(exponential(freeLog > MOST ? MOST : freeLog), freePhase[k]!, turned);
      sumRe += turned.re;
      sumIm += turned.im;
    }
    if (noiseLog > INAUDIBLE) {
      const gain = exponential(noiseLog > MOST ? MOST : noiseLog);
      const at = (noiseFrom + 2 * k) & (TABLE - 1);
      sumRe += gain * normal[at]!;
      sumIm += gain * normal[(at + 1) & (TABLE - 1)]!;
    }
    re[k] = sumRe;
    im[k] = sumIm;
  }
  im[0] = 0;
  im[BINS - 1] = 0;
}

/** Numbers with mean 0 and variance 1 (G. E. P. Box and M. E. Muller, 1958). */
function normalNumbers(count: number): Float32Array {
  const random = createRandom(1);
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    numbers[i] = radius * Math.cos(angle);
    numbers[i + 1] = radius * Math.sin(angle);
  }
  return numbers;
}
