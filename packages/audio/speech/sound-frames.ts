import { median } from '@jyutsing/numeric/statistics';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRealFft } from '@jyutsing/numeric/real-fft';

/** Time between frames. */
export const SOUND_FRAME_MS = 20;
const HOP = (RECOGNIZER_SAMPLE_RATE_HZ * SOUND_FRAME_MS) / 1_000;
const SIZE = 1_024;
const BINS = SIZE / 2 + 1;
const HZ_PER_BIN = RECOGNIZER_SAMPLE_RATE_HZ / SIZE;
const BANDS = 20;
const LOW_HZ = 100;
const HIGH_HZ = 7_000;
/** Cepstral coefficients from the first on; the level is stored separately. */
export const CEPSTRA = 8;
/** Frames this far below the loudest are ignored as background or decay. */
const ACTIVE_RANGE_DB = 28;
const SILENCE_DB = -85;
const RUMBLE_HZ = 80;
const MIN_PITCH_HZ = 65;
const MAX_PITCH_HZ = 520;
/** Frequency range of the partials, and the number of strongest ones. */
const PEAK_LOW_HZ = 150;
const PEAK_HIGH_HZ = 4_000;
export const PEAKS = 6;

/**
 * Descriptions of the frames of a recording. Inactive frames have only a level; the rest is
 * computed on demand for active ones.
 */
export type SoundFrames = {
  count: number;
  /** `count` levels in dB of full scale, at least −100. */
  levelDb: Float64Array;
  /** 1 for the frames that are not far below the loudest of the recording. */
  isActive: Uint8Array;
  /** `count` × CEPSTRA coefficients of mel bands, in units of 10 dB. */
  cepstra: Float64Array;
  /** Strength of the best period, 0..1, and its pitch in hertz. */
  periodicity: Float64Array;
  pitchHz: Float64Array;
  /**
   * `count` × PEAKS: frequencies of the strongest partials (0 when absent) and their shares of the
   * power in the range.
   */
  peakHz: Float64Array;
  peakShare: Float64Array;
  /**
   * Log10 of the geometric over the arithmetic mean of the bands' power, and the center of the
   * spectrum in octaves above LOW_HZ.
   */
  flatness: Float64Array;
  centroid: Float64Array;
  /** Describes these frames. */
  describe(wanted: readonly number[]): void;
};

const toMel = (hz: number) => 2_595 * Math.log10(1 + hz / 700);
const toHz = (mel: number) => 700 * (10 ** (mel / 2_595) - 1);
const edges = Array.from({ length: BANDS + 2 }, (_, i) =>
  Math.round(toHz(toMel(LOW_HZ) + ((toMel(HIGH_HZ) - toMel(LOW_HZ)) * i) / (BANDS + 1)) / HZ_PER_BIN),
);
const bandOctaves = Array.from({ length: BANDS }, (_, band) => Math.log2((edges[band + 1]! * HZ_PER_BIN) / LOW_HZ));
const cosines = Array.from({ length: CEPSTRA }, (_, order) =>
  Float64Array.from(
    { length: BANDS },
    (_, band) => Math.cos((Math.PI * (order + 1) * (band + 0.5)) / BANDS) * Math.sqrt(2 / BANDS),
  ),
);
const hann = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / SIZE));

/** Describes mono audio at 16 kHz: computes levels at once, the rest on `describe`. */
export function createSoundFrames(samples: Float32Array): SoundFrames {
  const sound = withoutRumble(withoutRumble(samples));
  const count = Math.floor(sound.length / HOP);
  const levelDb = levelsOf(sound, count);
  const isDescribed = new Uint8Array(count);
  let analyze: ReturnType<typeof createFrameAnalyzer> | null = null;
  const zeros = (columns: number) => new Float64Array(count * columns);
  const frames: SoundFrames = {
    count,
    levelDb,
    isActive: activeIn(levelDb),
    cepstra: zeros(CEPSTRA),
    periodicity: zeros(1),
    pitchHz: zeros(1),
    peakHz: zeros(PEAKS),
    peakShare: zeros(PEAKS),
    flatness: zeros(1),
    centroid: zeros(1),
    describe(wanted) {
      analyze ??= createFrameAnalyzer();
      for (const frame of wanted) {
        if (isDescribed[frame]) continue;
        isDescribed[frame] = 1;
        analyze(sound, frame, frames);
      }
    },
  };
  return frames;
}

/** Marks the frames with these levels that are not far below the loudest of them, 0 or 1. */
export function activeIn(levelDb: Float64Array): Uint8Array {
  const lowestDb = Math.max(SILENCE_DB, loudestOf(levelDb) - ACTIVE_RANGE_DB);
  return Uint8Array.from(levelDb, (level) => (level >= lowestDb ? 1 : 0));
}

/** Window length in frames, of which more than half must be loud. */
const LASTING = 7;

/** Returns the loudest level that lasts: a click is over within three frames. */
export function loudestOf(levelDb: Float64Array): number {
  let loudest = -100;
  for (let frame = 0; frame === 0 || frame + LASTING <= levelDb.length; frame += 1) {
    loudest = Math.max(loudest, median(levelDb.subarray(frame, frame + LASTING), loudest));
  }
  return loudest;
}

/** Returns the level in dB of full scale of the loudest stretch of a recording at 16 kHz. */
export function loudestLevelDb(samples: Float32Array): number {
  const sound = withoutRumble(samples);
  return loudestOf(levelsOf(sound, Math.floor(sound.length / HOP)));
}

/**
 * Applies a one-pole high-pass: otherwise an offset, hum or handling noise would be the loudest
 * sound.
 */
function withoutRumble(samples: Float32Array): Float32Array {
  const output = new Float32Array(samples.length);
  const keep = Math.exp((-2 * Math.PI * RUMBLE_HZ) / RECOGNIZER_SAMPLE_RATE_HZ);
  let before = samples[0] ?? 0;
  let value = 0;
  for (let i = 0; i < samples.length; i += 1) {
    value = keep * (value + samples[i]! - before);
    before = samples[i]!;
    output[i] = value;
  }
  return output;
}

function levelsOf(sound: Float32Array, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, frame) => {
    let power = 1e-10;
    for (let i = frame * HOP; i < (frame + 1) * HOP; i += 1) power += sound[i]! ** 2 / HOP;
    return 10 * Math.log10(power);
  });
}

function createFrameAnalyzer(): (sound: Float32Array, frame: number, frames: SoundFrames) => void {
  const fft = createRealFft(SIZE);
  const window = new Float64Array(SIZE);
  const re = new Float64Array(BINS);
  const im = new Float64Array(BINS);
  const power = new Float64Array(BINS);
  const correlation = new Float64Array(SIZE);
  // Divide out the autocorrelation of the window (P. Boersma, 1993).
  const windowCorrelation = new Float64Array(SIZE);
  const autocorrelate = (source: Float64Array, target: Float64Array) => {
    fft.forward(source, re, im);
    for (let k = 0; k < BINS; k += 1) {
      power[k] = re[k]! * re[k]! + im[k]! * im[k]!;
      re[k] = power[k]!;
      im[k] = 0;
    }
    fft.inverse(re, im, target);
  };
  // The transform wraps around after half its size, so lags stay below a quarter of it.
  autocorrelate(hann, windowCorrelation);
  const bands = new Float64Array(BANDS);
  return (sound, frame, frames) => {
    const from = frame * HOP + HOP / 2 - SIZE / 2;
    for (let i = 0; i < SIZE; i += 1) window[i] = hann[i]! * (sound[from + i] ?? 0);
    autocorrelate(window, correlation);
    findPitch(correlation, windowCorrelation, frame, frames);
    measureBands(power, bands, frame, frames);
    findPeaks(power, frame, frames);
  };
}

const MIN_LAG = Math.floor(RECOGNIZER_SAMPLE_RATE_HZ / MAX_PITCH_HZ);
const MAX_LAG = Math.ceil(RECOGNIZER_SAMPLE_RATE_HZ / MIN_PITCH_HZ);
/** Penalty of a period against one half as long. */
const OCTAVE_COST = 0.02;

function findPitch(correlation: Float64Array, ofWindow: Float64Array, frame: number, frames: SoundFrames): void {
  const energy = Math.max(1e-12, correlation[0]! / ofWindow[0]!);
  const at = (lag: number) => correlation[lag]! / (ofWindow[lag]! * energy);
  let best = 0;
  let bestLag = 0;
  for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
    const value = at(lag) - OCTAVE_COST * Math.log2(lag / MIN_LAG);
    if (value > best && at(lag) >= at(lag - 1) && at(lag) >= at(lag + 1)) {
      best = value;
      bestLag = lag;
    }
  }
  if (bestLag === 0) return;
  frames.periodicity[frame] = Math.min(1, at(bestLag));
  frames.pitchHz[frame] =
    RECOGNIZER_SAMPLE_RATE_HZ / (bestLag + vertexOf(at(bestLag - 1), at(bestLag), at(bestLag + 1)));
}

/** Finds the vertex of a parabola through three values at −1, 0 and 1. */
function vertexOf(left: number, middle: number, right: number): number {
  const bend = left - 2 * middle + right;
  return bend === 0 ? 0 : Math.max(-0.5, Math.min(0.5, (0.5 * (left - right)) / bend));
}

function measureBands(power: Float64Array, bands: Float64Array, frame: number, frames: SoundFrames): void {
  let total = 0;
  let weighted = 0;
  let logs = 0;
  for (let band = 0; band < BANDS; band += 1) {
    let sum = 0;
    const [from, to] = [edges[band]!, Math.max(edges[band]! + 1, edges[band + 2]!)];
    for (let k = from; k < to; k += 1) sum += power[k]!;
    bands[band] = sum / (to - from);
    total += bands[band]!;
    weighted += bands[band]! * bandOctaves[band]!;
  }
  // Clamp empty bands, as in telephone audio, to 50 dB below the mean: their exact level depends
  // only on the codec.
  const floor = (total / BANDS) * 1e-5 + 1e-12;
  for (let band = 0; band < BANDS; band += 1) {
    bands[band] = Math.log10(bands[band]! + floor);
    logs += bands[band]! / BANDS;
  }
  for (let order = 0; order < CEPSTRA; order += 1) {
    let sum = 0;
    for (let band = 0; band < BANDS; band += 1) sum += cosines[order]![band]! * bands[band]!;
    frames.cepstra[frame * CEPSTRA + order] = sum;
  }
  frames.flatness[frame] = logs - Math.log10(total / BANDS + floor);
  frames.centroid[frame] = weighted / (total + floor);
}

function findPeaks(power: Float64Array, frame: number, frames: SoundFrames): void {
  const from = Math.round(PEAK_LOW_HZ / HZ_PER_BIN);
  const to = Math.round(PEAK_HIGH_HZ / HZ_PER_BIN);
  let total = 1e-12;
  const { peakHz, peakShare } = frames;
  const offset = frame * PEAKS;
  for (let k = from; k <= to; k += 1) {
    const value = power[k]!;
    total += value;
    if (value <= power[k - 1]! || value < power[k + 1]! || value <= peakShare[offset + PEAKS - 1]!) continue;
    const shift = vertexOf(Math.log(power[k - 1]! + 1e-20), Math.log(value + 1e-20), Math.log(power[k + 1]! + 1e-20));
    let place = PEAKS - 1;
    for (; place > 0 && peakShare[offset + place - 1]! < value; place -= 1) {
      peakShare[offset + place] = peakShare[offset + place - 1]!;
      peakHz[offset + place] = peakHz[offset + place - 1]!;
    }
    peakShare[offset + place] = value;
    peakHz[offset + place] = (k + shift) * HZ_PER_BIN;
  }
  // A partial of the Hann window has about three bins of power.
  for (let place = 0; place < PEAKS; place += 1) peakShare[offset + place]! /= total / 1.5;
}
