import { mean, median, quantile, standardDeviation } from '@jyutsing/numeric/statistics';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import { createRealFft } from '@jyutsing/numeric/real-fft';

/** Rate at which clips are judged: that of the recordings of people. */
export const JUDGED_RATE_HZ = 16_000;
/** People and machines are judged by clips of this length, the length of most test recordings. */
export const JUDGED_CLIP_SECONDS = 1.5;
const HOP = 160;
const FFT = createRealFft(512);
const BANDS = 24;
/** Frames this far below the loudest are pauses. */
const PAUSE_DB = -40;
/** Power relative to the loudest band below which nothing is heard. */
const FLOOR = 1e-5;
/** Steps of the modulation spectrum, frames. */
const LAGS = [1, 2, 4, 8, 16];

/**
 * Statistics of a clip that do not depend on its level, its mean spectrum or what is said: how fast
 * and how unevenly levels, spectra and pitch change. Equalization changes none of them.
 */
export function likenessFeatures(samples: Float32Array): number[] {
  const frames = melFrames(samples);
  const levels = frames.map((bands) => 10 * Math.log10(bands.reduce((sum, db) => sum + 10 ** (db / 10), 0)));
  const loudest = levels.toSorted((a, b) => b - a)[Math.floor(levels.length / 50)] ?? 0;
  const spoken = frames.filter((_, i) => levels[i]! > loudest + PAUSE_DB);
  const spokenLevels = levels.filter((level) => level > loudest + PAUSE_DB);
  const features = [...spreadOf(spokenLevels)];
  for (const lag of LAGS) {
    const low = changes(spoken, lag, 0, 10);
    const high = changes(spoken, lag, 10, BANDS);
    features.push(...spreadOf(low), ...spreadOf(high));
  }
  return [...features, ...pitchFeatures(samples)];
}

/** Root mean square differences of the bands between frames `lag` apart. */
function changes(frames: readonly Float64Array[], lag: number, from: number, to: number): number[] {
  return frames.slice(lag).map((bands, i) => {
    let sum = 0;
    for (let band = from; band < to; band += 1) sum += (bands[band]! - frames[i]![band]!) ** 2;
    return Math.sqrt(sum / (to - from));
  });
}

/** Small movements of the pitch, and how they are spread. */
function pitchFeatures(samples: Float32Array): number[] {
  const { pitchHz } = trackPitch(samples, JUDGED_RATE_HZ);
  const semitones = Array.from(pitchHz, (hz) => (hz > 0 ? 12 * Math.log2(hz) : NaN));
  const steps: number[] = [];
  const bends: number[] = [];
  for (let i = 2; i < semitones.length; i += 1) {
    const [a, b, c] = [semitones[i - 2]!, semitones[i - 1]!, semitones[i]!];
    if (Math.abs(c - b) < 1.5) steps.push(Math.abs(c - b));
    if (Math.abs(c - b) < 1.5 && Math.abs(b - a) < 1.5) bends.push(Math.abs(c - 2 * b + a));
  }
  return [...spreadOf(steps), ...spreadOf(bends)];
}

/** The median, and the quantiles 0.9 and 0.1 relative to it; zeros for no values. */
function spreadOf(values: readonly number[]): number[] {
  if (values.length === 0) return [0, 0, 0];
  const [low, middle, high] = [quantile(values, 0.1), median(values), quantile(values, 0.9)];
  return [middle, high - middle, middle - low];
}

/** Powers of mel bands every 10 ms, in decibels. */
export function melFrames(samples: Float32Array): Float64Array[] {
  const signal = new Float64Array(FFT.size);
  const re = new Float64Array(FFT.size / 2 + 1);
  const im = new Float64Array(FFT.size / 2 + 1);
  const frames: Float64Array[] = [];
  for (let at = 0; at + 400 <= samples.length; at += HOP) {
    signal.fill(0);
    for (let i = 0; i < 400; i += 1) signal[i] = samples[at + i]! * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 400));
    FFT.forward(signal, re, im);
    const bands = new Float64Array(BANDS).fill(1e-12);
    for (let k = 3; k < 256; k += 1) {
      const mel = Math.log(1 + (k * JUDGED_RATE_HZ) / 512 / 700) / Math.log(1 + 7_600 / 700);
      const band = Math.min(BANDS - 1, Math.floor(mel * BANDS));
      bands[band]! += re[k]! ** 2 + im[k]! ** 2;
    }
    frames.push(bands);
  }
  // Noise floors of recordings and codecs lie below this and are not compared.
  const floor = frames.reduce((most, bands) => Math.max(most, ...bands), 1e-9) * FLOOR;
  return frames.map((bands) => bands.map((power) => 10 * Math.log10(power + floor)));
}

/** A clip to learn from; its `kind` is one source of recordings, or one kind of synthesizer. */
export type JudgedClip = { features: readonly number[]; isHuman: boolean; kind: string };

/** A logistic regression on features of mean 0 and deviation 1; the last weight is the constant. */
export type StatisticsModel = { means: number[]; deviations: number[]; weights: number[] };

const TURNS = 600;

/** People and machines count equally, and all kinds of each. */
export function fitLikeness(clips: readonly JudgedClip[]): StatisticsModel {
  const size = clips[0]?.features.length ?? 0;
  const column = (at: number) => clips.map(({ features }) => features[at]!);
  const means = Array.from({ length: size }, (_, at) => mean(column(at)));
  const deviations = means.map((_, at) => standardDeviation(column(at)) + 1e-9);
  const weights = Array.from({ length: size + 1 }, () => 0);
  const model = { means, deviations, weights };
  const inputs = clips.map(({ features }) => scaled(features, model));
  const importance = importanceOf(clips);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const gradient = new Float64Array(size + 1);
    for (const [index, input] of inputs.entries()) {
      const error = (logistic(input, weights) - Number(clips[index]!.isHuman)) * importance[index]!;
      for (let at = 0; at < size; at += 1) gradient[at]! += error * input[at]!;
      gradient[size]! += error;
    }
    for (let at = 0; at <= size; at += 1) weights[at]! -= 0.5 * (gradient[at]! + (at < size ? 0.01 * weights[at]! : 0));
  }
  return model;
}

/** A clip's share of the whole, of sum 1. */
function importanceOf(clips: readonly JudgedClip[]): number[] {
  const counts = new Map<string, number>();
  const kinds = { true: new Set<string>(), false: new Set<string>() };
  for (const { isHuman, kind } of clips) {
    counts.set(`${isHuman} ${kind}`, (counts.get(`${isHuman} ${kind}`) ?? 0) + 1);
    kinds[`${isHuman}`].add(kind);
  }
  return clips.map(({ isHuman, kind }) => 1 / (2 * kinds[`${isHuman}`].size * counts.get(`${isHuman} ${kind}`)!));
}

/** Likeness to people, 0..1. */
export function likenessOf(features: readonly number[], model: StatisticsModel): number {
  return logistic(scaled(features, model), model.weights);
}

/** One feature that differs much from all others must not decide. */
function scaled(features: readonly number[], { means, deviations }: StatisticsModel): number[] {
  return features.map((x, at) => Math.max(-3, Math.min(3, (x - means[at]!) / deviations[at]!)));
}

function logistic(input: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-input.reduce((sum, x, at) => sum + x * weights[at]!, weights[input.length]!)));
}
