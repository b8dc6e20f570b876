import { PITCH_FRAME_MS } from '#audio/voice/track-pitch.ts';
import { createEnvelopeAnalyzer } from '#audio/vocoder/envelope.ts';
import { ENVELOPE_BINS, VOCODER_SAMPLE_RATE_HZ } from '#audio/vocoder/speech-frames.ts';
import type { PitchCourse } from './measure-contour.ts';

/** Numbers that describe the spectrum of one voiced frame. */
export const TIMBRE_FEATURES = 14;
/** Frames of a recording that are looked at: more tell the same. */
const MOST_FRAMES = 24;
/** Frames this far below the loudest voiced one show the room as much as the voice. */
const LOUD_RANGE_DB = 15;
const BANDS = 24;
/** What a telephone lets through, nearly: recordings differ above it more than voices. */
const LOW_HZ = 120;
const HIGH_HZ = 3_900;
/** Makes the features about equally wide: the first ones are the slope of the spectrum. */
const SCALES = [10, 8, 6];
const OTHER_SCALE = 5;

/** Small network that tells from the spectrum of voiced frames how likely it is in a voice of each register. */
export type TimbreModel = {
  /** Registers that are told apart, semitones above 1 Hz, rising. */
  registers: number[];
  /** Layers with SiLU between; the last one gives a log-likelihood (but for a constant) for each register. Rows of weights by output. */
  layers: { weights: number[][]; biases: number[] }[];
  /** Weight of the mean over frames: frames of one vowel are not independent. */
  weight: number;
};

/** Log-likelihood, but for a constant, of a speaker's register. */
export type RegisterEvidence = readonly { register: number; logp: number }[];

/** The spectrum of one voiced frame, and its fundamental frequency. */
export type TimbreFrame = { features: Float64Array; pitchHz: number };

const toMel = (hz: number): number => 2_595 * Math.log10(1 + hz / 700);
const toHz = (mel: number): number => 700 * (10 ** (mel / 2_595) - 1);

/**
 * Spectra of the loudest voiced frames, at most `MOST_FRAMES` at equal distances: mel cepstra (without the level) of the CheapTrick
 * envelope, in which harmonics leave hardly a trace.
 */
export function measureTimbre(samples: Float32Array, sampleRateHz: number, course: PitchCourse): TimbreFrame[] {
  const { pitchHz, levelDb } = course;
  let loudestDb = -Infinity;
  pitchHz.forEach((hz, frame) => (loudestDb = hz > 0 ? Math.max(loudestDb, levelDb[frame]!) : loudestDb));
  const loud: number[] = [];
  pitchHz.forEach((hz, frame) => hz > 0 && levelDb[frame]! > loudestDb - LOUD_RANGE_DB && loud.push(frame));
  const count = Math.min(MOST_FRAMES, loud.length);
  const frames = Array.from({ length: count }, (_, at) => loud[Math.floor(((at + 0.5) * loud.length) / count)]!);
  const analyze = createEnvelopeAnalyzer();
  const envelopeDb = new Float32Array(ENVELOPE_BINS);
  // The analyser thinks in its own rate: sound of another one is to it slower or faster, and its pitch with it.
  const rate = VOCODER_SAMPLE_RATE_HZ / sampleRateHz;
  const bands = bandEdges(sampleRateHz);
  return frames.map((frame) => {
    const centre = Math.round((frame * PITCH_FRAME_MS * sampleRateHz) / 1_000);
    analyze(samples, centre, pitchHz[frame]! * rate, envelopeDb, 0);
    return { features: cepstrum(envelopeDb, bands), pitchHz: pitchHz[frame]! };
  });
}

/** First bin and the bin after the last one of each band. */
function bandEdges(sampleRateHz: number): (readonly [number, number])[] {
  const hzPerBin = sampleRateHz / 2 / (ENVELOPE_BINS - 1);
  const step = (toMel(HIGH_HZ) - toMel(LOW_HZ)) / BANDS;
  const binOf = (band: number): number => Math.round(toHz(toMel(LOW_HZ) + band * step) / hzPerBin);
  return Array.from({ length: BANDS }, (_, band) => [binOf(band), Math.max(binOf(band) + 1, binOf(band + 1))] as const);
}

const COSINES = Array.from({ length: TIMBRE_FEATURES }, (_, order) =>
  Float64Array.from(
    { length: BANDS },
    (__, band) =>
      ((2 / BANDS) * Math.cos((Math.PI * (band + 0.5) * (order + 1)) / BANDS)) / (SCALES[order] ?? OTHER_SCALE),
  ),
);

function cepstrum(envelopeDb: Float32Array, bands: readonly (readonly [number, number])[]): Float64Array {
  const levels = bands.map(([from, to]) => {
    let sum = 0;
    for (let bin = from; bin < to; bin++) sum += envelopeDb[bin]!;
    return sum / (to - from);
  });
  return Float64Array.from(COSINES, (row) => row.reduce((sum, cosine, band) => sum + cosine * levels[band]!, 0));
}

/** What the spectra say of the register; nothing where nothing is voiced. */
export function registerEvidence(model: TimbreModel | null, frames: readonly TimbreFrame[]): RegisterEvidence {
  if (model === null || frames.length === 0) return [];
  const { registers, layers, weight } = model;
  const sums = new Float64Array(registers.length);
  for (const { features } of frames) {
    let values: Float64Array = features;
    layers.forEach(({ weights, biases }, layer) => {
      const inputs = values;
      values = Float64Array.from(weights, (row, output) => {
        const sum = row.reduce((total, each, at) => total + each * inputs[at]!, biases[output]!);
        return layer < layers.length - 1 ? silu(sum) : sum;
      });
    });
    for (const [at, value] of values.entries()) sums[at]! += value;
  }
  return registers.map((register, at) => ({ register, logp: (weight * sums[at]!) / frames.length }));
}

/** x · sigmoid(x). */
export const silu = (x: number): number => x / (1 + Math.exp(-x));
