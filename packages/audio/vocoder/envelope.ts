import { createRealFft } from '@jyutsing/numeric/real-fft';
import { ENVELOPE_BINS, HZ_PER_BIN, TRANSFORM_SIZE, VOCODER_SAMPLE_RATE_HZ } from './speech-frames.ts';

/**
 * The window has three periods and must fit into a transform: deeper voices are analyzed as if they
 * had this pitch.
 */
const MIN_ENVELOPE_HZ = (3 * VOCODER_SAMPLE_RATE_HZ) / (TRANSFORM_SIZE - 3);
/** Pitch that sets the window length of unvoiced frames, as in WORLD: bursts stay sharp. */
const UNVOICED_PITCH_HZ = 500;
/** Weights of the spectral recovery in CheapTrick. */
const Q0 = 1.18;
const Q1 = -0.09;
/** Power below the noise of 16 bits, so that silence keeps a finite level. */
const POWER_FLOOR = 1e-11;
/** dB per natural logarithm of power. */
const DB_PER_LOG_POWER = 10 / Math.LN10;
const HANN_STEPS = 4_096;

/** Writes the envelope around a sample into `output` from `offset` on, dB per bin. */
type EnvelopeAnalyzer = (
  samples: Float32Array,
  center: number,
  pitchHz: number,
  output: Float32Array,
  offset: number,
) => void;

/**
 * Estimates the spectral envelope of speech at 24 kHz without traces of harmonics or of the
 * window's position in a period: CheapTrick (M. Morise, "CheapTrick, a spectral envelope estimator
 * for high-quality speech synthesis", Speech Communication 67, 2015): a Hann window of three
 * periods, power smoothed over two thirds of the pitch, then liftering in the cepstrum.
 */
export function createEnvelopeAnalyzer(): EnvelopeAnalyzer {
  const fft = createRealFft(TRANSFORM_SIZE);
  const signal = new Float64Array(TRANSFORM_SIZE);
  const re = new Float64Array(ENVELOPE_BINS);
  const im = new Float64Array(ENVELOPE_BINS);
  const power = new Float64Array(ENVELOPE_BINS);
  const smoothed = new Float64Array(ENVELOPE_BINS);
  const sums = new Float64Array(3 * ENVELOPE_BINS);

  return (samples, center, givenPitchHz, output, offset) => {
    const pitchHz = givenPitchHz > 0 ? Math.max(givenPitchHz, MIN_ENVELOPE_HZ) : UNVOICED_PITCH_HZ;
    cutOut(samples, center, pitchHz, signal);
    fft.forward(signal, re, im);
    for (let k = 0; k < ENVELOPE_BINS; k += 1) power[k] = re[k]! * re[k]! + im[k]! * im[k]!;
    mirrorBelowPitch(power, pitchHz);
    smooth(power, (2 * pitchHz) / 3, sums, smoothed);
    for (let k = 0; k < ENVELOPE_BINS; k += 1) {
      const value = Math.log(smoothed[k]! + POWER_FLOOR);
      signal[k] = value;
      if (k > 0) signal[TRANSFORM_SIZE - k] = value;
    }
    fft.forward(signal, re, im);
    lifter(re, pitchHz);
    im.fill(0);
    fft.inverse(re, im, signal);
    for (let k = 0; k < ENVELOPE_BINS; k += 1) output[offset + k] = DB_PER_LOG_POWER * signal[k]!;
  };
}

const hann = Float64Array.from({ length: HANN_STEPS + 2 }, (_, i) => 0.5 + 0.5 * Math.cos((Math.PI * i) / HANN_STEPS));

/**
 * Copies three periods around `center`, windowed with energy 1 and without their mean, to the start
 * of `signal`.
 */
function cutOut(samples: Float32Array, center: number, pitchHz: number, signal: Float64Array): void {
  const half = Math.min(TRANSFORM_SIZE / 2 - 1, Math.round((1.5 * VOCODER_SAMPLE_RATE_HZ) / pitchHz));
  const length = 2 * half + 1;
  let windowSum = 0;
  let energy = 0;
  let sum = 0;
  const scale = HANN_STEPS / (half + 1);
  for (let i = 0; i < length; i += 1) {
    const weight = hann[Math.round(Math.abs(i - half) * scale)]!;
    const at = center - half + i;
    const sample = at >= 0 && at < samples.length ? samples[at]! : 0;
    signal[i] = sample * weight;
    sum += sample * weight;
    windowSum += weight;
    energy += weight * weight;
  }
  const mean = sum / windowSum;
  const gain = 1 / Math.sqrt(energy);
  for (let i = 0; i < length; i += 1) {
    const weight = hann[Math.round(Math.abs(i - half) * scale)]!;
    signal[i] = (signal[i]! - weight * mean) * gain;
  }
  signal.fill(0, length);
}

/**
 * Between 0 and the pitch there is no harmonic on the left, so the power on the right is folded
 * over, as CheapTrick does.
 */
function mirrorBelowPitch(power: Float64Array, pitchHz: number): void {
  const edge = pitchHz / HZ_PER_BIN;
  const last = Math.min(replica.length - 1, Math.floor(edge));
  for (let k = 0; k <= last; k += 1) {
    const lower = Math.floor(edge - k);
    replica[k] = power[lower]! + (power[lower + 1]! - power[lower]!) * (edge - k - lower);
  }
  for (let k = 0; k <= last; k += 1) power[k] = power[k]! + replica[k]!;
}

const replica = new Float64Array(64);

/**
 * Computes a moving mean of the given width by cumulative sums over an axis mirrored at both ends.
 */
function smooth(power: Float64Array, widthHz: number, sums: Float64Array, output: Float64Array): void {
  const bins = ENVELOPE_BINS;
  const reach = Math.ceil(widthHz / HZ_PER_BIN) + 2;
  let total = 0;
  // sums[i] is the integral up to the lower edge of bin i − reach; each bin is a step.
  for (let i = 0; i < bins + 2 * reach; i += 1) {
    sums[i] = total;
    let k = i - reach;
    if (k < 0) k = -k;
    else if (k >= bins) k = 2 * (bins - 1) - k;
    total += power[k]!;
  }
  sums[bins + 2 * reach] = total;
  const halfWidth = widthHz / HZ_PER_BIN / 2;
  for (let k = 0; k < bins; k += 1) {
    const from = k + reach + 0.5 - halfWidth;
    const to = k + reach + 0.5 + halfWidth;
    const fromBin = Math.floor(from);
    const toBin = Math.floor(to);
    const lower = sums[fromBin]! + (sums[fromBin + 1]! - sums[fromBin]!) * (from - fromBin);
    const upper = sums[toBin]! + (sums[toBin + 1]! - sums[toBin]!) * (to - toBin);
    output[k] = (upper - lower) / (2 * halfWidth);
  }
}

/** Removes the ripple of the harmonics from the cepstrum and compensates for the smoothing. */
function lifter(cepstrum: Float64Array, pitchHz: number): void {
  const angle = (Math.PI * pitchHz) / VOCODER_SAMPLE_RATE_HZ;
  const turnCos = Math.cos(angle);
  const turnSin = Math.sin(angle);
  let c = 1;
  let s = 0;
  cepstrum[0] = cepstrum[0]! * (Q0 + 2 * Q1);
  for (let n = 1; n < ENVELOPE_BINS; n += 1) {
    const nextCos = c * turnCos - s * turnSin;
    s = s * turnCos + c * turnSin;
    c = nextCos;
    cepstrum[n] = cepstrum[n]! * (s / (angle * n)) * (Q0 + 2 * Q1 * (1 - 2 * s * s));
  }
}
