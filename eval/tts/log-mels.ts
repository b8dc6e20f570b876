import { createRealFft } from '@jyutsing/numeric/real-fft';
import { JUDGED_RATE_HZ } from './human-likeness.ts';

export const MEL_BANDS = 48;
const FRAMES_PER_SECOND = 100;

/** `frames` × `MEL_BANDS` values, mostly −2..1, and which frames have speech. */
export type LogMels = { frames: number; values: Float32Array; isSpeech: Uint8Array };

const HOP = JUDGED_RATE_HZ / FRAMES_PER_SECOND;
const WINDOW = 400;
const FFT = createRealFft(512);
const LOW_HZ = 60;
const HIGH_HZ = 7_600;
/** Levels this far below the loudest band of a clip are cut off: recordings have noise there. */
const FLOOR_DB = -50;
/** Frames this far below the loudest are pauses. */
const PAUSE_DB = -30;
const SCALE_DB = 20;

const toMel = (hz: number) => Math.log(1 + hz / 700);
const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
const TRIANGLES = makeTriangles();

/**
 * Levels of mel bands every 10 ms, each relative to its mean over the speech of the clip, so that
 * neither loudness nor equalization changes them.
 */
export function logMels(samples: Float32Array): LogMels {
  const frames = Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1);
  const values = new Float32Array(frames * MEL_BANDS);
  const levels = new Float64Array(frames);
  const signal = new Float64Array(FFT.size);
  const [re, im] = [new Float64Array(FFT.size / 2 + 1), new Float64Array(FFT.size / 2 + 1)];
  for (let frame = 0; frame < frames; frame += 1) {
    signal.fill(0);
    for (let i = 0; i < WINDOW; i += 1) signal[i] = samples[frame * HOP + i]! * HANN[i]!;
    FFT.forward(signal, re, im);
    let sum = 0;
    for (const [band, { first, weights }] of TRIANGLES.entries()) {
      let power = 1e-12;
      for (let i = 0; i < weights.length; i += 1) power += weights[i]! * (re[first + i]! ** 2 + im[first + i]! ** 2);
      values[frame * MEL_BANDS + band] = 10 * Math.log10(power);
      sum += power;
    }
    levels[frame] = 10 * Math.log10(sum);
  }
  const loudest = levels.toSorted()[Math.floor(0.98 * frames)] ?? 0;
  const isSpeech = Uint8Array.from(levels, (level) => Number(level > loudest + PAUSE_DB));
  normalize(values, isSpeech);
  return { frames, values, isSpeech };
}

function normalize(values: Float32Array, isSpeech: Uint8Array): void {
  const floor = values.reduce((most, level) => Math.max(most, level), -120) + FLOOR_DB;
  const means = new Float64Array(MEL_BANDS);
  let spoken = 0;
  for (const [frame, counts] of isSpeech.entries()) {
    spoken += counts;
    for (let band = 0; band < MEL_BANDS; band += 1) {
      const at = frame * MEL_BANDS + band;
      values[at] = Math.max(floor, values[at]!);
      if (counts === 1) means[band]! += values[at]!;
    }
  }
  for (let at = 0; at < values.length; at += 1)
    values[at] = (values[at]! - means[at % MEL_BANDS]! / Math.max(1, spoken)) / SCALE_DB;
}

/** Triangular weights of the bins of each band, of sum 1. */
function makeTriangles(): { first: number; weights: number[] }[] {
  const step = (toMel(HIGH_HZ) - toMel(LOW_HZ)) / (MEL_BANDS + 1);
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const center = toMel(LOW_HZ) + (band + 1) * step;
    const weightOf = (bin: number) =>
      Math.max(0, 1 - Math.abs(toMel((bin * JUDGED_RATE_HZ) / FFT.size) - center) / step);
    const bins = Array.from({ length: FFT.size / 2 + 1 }, (_, bin) => bin).filter((bin) => weightOf(bin) > 0);
    // Low bands are narrower than a bin.
    const nearest = Math.round(((Math.exp(center) - 1) * 700 * FFT.size) / JUDGED_RATE_HZ);
    const [first = nearest] = bins;
    const weights = bins.length === 0 ? [1] : bins.map(weightOf);
    const sum = weights.reduce((a, b) => a + b, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}
