import { resample } from '#audio/vocoder/resample.ts';

/** Time between values; value k describes the sound around k · 5 ms. */
export const PITCH_FRAME_MS = 5;

type PitchTrack = {
  /** Pitch of each 5 ms frame in Hz; 0 is unvoiced. */
  pitchHz: Float32Array;
  /**
   * Likeness of neighboring periods, 0..1, one value per frame, also where the frame counts as
   * unvoiced.
   */
  periodicity: Float32Array;
};

type PitchRange = { minHz?: number; maxHz?: number };

/**
 * Sample rate of the pitch search: it keeps the first formants and removes the noise above them.
 */
const SEARCH_RATE_HZ = 8_000;
const HOP = (SEARCH_RATE_HZ * PITCH_FRAME_MS) / 1_000;
/** Length of the compared windows. */
const WINDOW = Math.round(0.016 * SEARCH_RATE_HZ);
const HIGH_PASS_HZ = 50;
const MAX_CANDIDATES = 8;
const MIN_CORRELATION = 0.25;
/**
 * Penalty of the longest period against the shortest: a double period correlates as well as the
 * true one.
 */
const LAG_COST = 0.2;
/** Cost of a jump by an octave. */
const JUMP_COST = 0.7;
/** Cost of becoming voiced or unvoiced: without it single frames would flicker. */
const VOICING_COST = 0.35;
/**
 * Correlations from which on a frame is rather voiced than not: in loud frames (vowels that begin,
 * end or creak), and in soft ones.
 */
const VOICED_FROM_LOUD = 0.36;
const VOICED_FROM_SOFT = 0.53;
/** Limits of loud and soft frames, dB below the loudest. */
const LOUD_DB = 14;
const SOFT_DB = 30;
/** Distance from the loudest frame, in dB, at which sound is background and has no pitch. */
const QUIET_DB = 45;
/**
 * Added to the power of both stretches, relative to the loudest, so that near-silence does not
 * correlate.
 */
const NOISE_FLOOR = 1e-5;

/**
 * Tracks the fundamental frequency of speech every 5 ms. Candidates are the peaks of the normalized
 * cross-correlation around each frame; a Viterbi path through them keeps octaves and voicing steady
 * (D. Talkin, "A robust algorithm for pitch tracking (RAPT)", in: Speech Coding and Synthesis,
 * 1995). Samples are mono floats of any rate; silence, noise and sound shorter than a period are
 * unvoiced. The default range is 60 to 500 Hz.
 */
export function trackPitch(
  samples: Float32Array,
  sampleRateHz: number,
  { minHz = 60, maxHz = 500 }: PitchRange = {},
): PitchTrack {
  const sound = withoutRumble(resample(samples, sampleRateHz, SEARCH_RATE_HZ));
  const frameSamples = (sampleRateHz * PITCH_FRAME_MS) / 1_000;
  const count = samples.length === 0 ? 0 : Math.floor((samples.length - 1) / frameSamples) + 1;
  const minLag = Math.max(4, Math.floor(SEARCH_RATE_HZ / maxHz));
  const maxLag = Math.ceil(SEARCH_RATE_HZ / minHz);
  const candidates = findCandidates(sound, count, minLag, maxLag);
  return { pitchHz: bestPath(candidates, count, maxLag), periodicity: candidates.periodicity };
}

/**
 * Applies a one-pole high-pass: otherwise handling noise and mains hum below every voice would win.
 */
function withoutRumble(sound: Float32Array): Float32Array {
  const pole = Math.exp((-2 * Math.PI * HIGH_PASS_HZ) / SEARCH_RATE_HZ);
  const output = new Float32Array(sound.length);
  let before = 0;
  let state = 0;
  for (let i = 0; i < sound.length; i += 1) {
    const sample = sound[i]!;
    state = pole * (state + sample - before);
    before = sample;
    output[i] = state;
  }
  return output;
}

type Candidates = {
  /** `MAX_CANDIDATES` slots per frame; `counts` of them are filled. */
  lags: Float32Array;
  values: Float32Array;
  counts: Uint8Array;
  periodicity: Float32Array;
  /** Correlation threshold for voicing; above 1 where a frame is too quiet for a voice. */
  voicedFrom: Float32Array;
};

function findCandidates(sound: Float32Array, count: number, minLag: number, maxLag: number): Candidates {
  const candidates: Candidates = {
    lags: new Float32Array(count * MAX_CANDIDATES),
    values: new Float32Array(count * MAX_CANDIDATES),
    counts: new Uint8Array(count),
    periodicity: new Float32Array(count),
    voicedFrom: new Float32Array(count).fill(2),
  };
  const pad = WINDOW + maxLag;
  // Use doubles: each sample is read for a hundred lags, and floats would be converted each time.
  const padded = new Float64Array(sound.length + 2 * pad);
  padded.set(sound, pad);
  const sums = new Float64Array(padded.length + 1);
  for (let i = 0; i < padded.length; i += 1) sums[i + 1] = sums[i]! + padded[i]! * padded[i]!;
  const energyOf = (from: number) => sums[from + WINDOW]! - sums[from]!;
  let loudest = 0;
  for (let frame = 0; frame < count; frame += 1) {
    const from = Math.min(frame * HOP + pad - WINDOW / 2, padded.length - WINDOW);
    loudest = Math.max(loudest, energyOf(from));
  }
  const floor = loudest * NOISE_FLOOR + 1e-9;
  const quiet = loudest * 10 ** (-QUIET_DB / 10) + 1e-9;
  const centerOf = (frame: number) => Math.min(frame * HOP + pad, padded.length - pad);
  const audibleFrames: number[] = [];
  for (let frame = 0; frame < count; frame += 1) {
    const energy = energyOf(centerOf(frame) - WINDOW / 2);
    if (energy < quiet) continue;
    const belowDb = 10 * Math.log10(loudest / energy);
    const softness = Math.min(1, Math.max(0, (belowDb - LOUD_DB) / (SOFT_DB - LOUD_DB)));
    candidates.voicedFrom[frame] = VOICED_FROM_LOUD + softness * (VOICED_FROM_SOFT - VOICED_FROM_LOUD);
    audibleFrames.push(frame);
  }
  const columns = maxLag + 2;
  const correlations = new Float32Array(audibleFrames.length * columns);
  // Compute lag by lag: neighboring frames share two thirds of their products, so all products are
  // summed up once and each frame takes a difference.
  const products = new Float64Array(padded.length + 1);
  for (let lag = minLag - 1; lag <= maxLag + 1; lag += 1) {
    let sum = 0;
    for (let i = 0; i + lag < padded.length; i += 1) products[i + 1] = sum += padded[i]! * padded[i + lag]!;
    for (let row = 0; row < audibleFrames.length; row += 1) {
      const from = centerOf(audibleFrames[row]!) - ((WINDOW + lag) >> 1);
      const scale = Math.sqrt((energyOf(from) + floor) * (energyOf(from + lag) + floor));
      correlations[row * columns + lag] = (products[from + WINDOW]! - products[from]!) / scale;
    }
  }
  for (const [row, frame] of audibleFrames.entries()) {
    pickPeaks(correlations.subarray(row * columns, (row + 1) * columns), minLag, maxLag, frame, candidates);
  }
  return candidates;
}

/** Picks the highest peaks of one frame's correlation, with sub-sample positions. */
function pickPeaks(
  correlations: Float32Array,
  minLag: number,
  maxLag: number,
  frame: number,
  candidates: Candidates,
): void {
  const base = frame * MAX_CANDIDATES;
  let filled = 0;
  for (let lag = minLag; lag <= maxLag; lag += 1) {
    const correlation = correlations[lag]!;
    const before = correlations[lag - 1]!;
    const after = correlations[lag + 1]!;
    if (correlation < MIN_CORRELATION || correlation < before || correlation <= after) continue;
    const bend = before - 2 * correlation + after;
    const shift = bend < 0 ? (0.5 * (before - after)) / bend : 0;
    const value = Math.min(1, correlation - 0.25 * (before - after) * shift);
    candidates.periodicity[frame] = Math.max(candidates.periodicity[frame]!, value);
    let place = filled;
    if (filled === MAX_CANDIDATES) {
      place = 0;
      for (let i = 1; i < MAX_CANDIDATES; i += 1)
        if (candidates.values[base + i]! < candidates.values[base + place]!) place = i;
      if (candidates.values[base + place]! >= value) continue;
    } else filled += 1;
    candidates.lags[base + place] = lag + shift;
    candidates.values[base + place] = value;
  }
  candidates.counts[frame] = filled;
}

/** Finds the cheapest path through the candidates; the last slot of each frame is "unvoiced". */
function bestPath(candidates: Candidates, count: number, maxLag: number): Float32Array {
  const pitchHz = new Float32Array(count);
  const places = MAX_CANDIDATES + 1;
  const back = new Uint8Array(count * places);
  let costs = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
  let next = new Float64Array(places);
  let logs = new Float64Array(MAX_CANDIDATES);
  let nextLogs = new Float64Array(MAX_CANDIDATES);
  let before = 0;
  costs[MAX_CANDIDATES] = 0;
  for (let frame = 0; frame < count; frame += 1) {
    const base = frame * MAX_CANDIDATES;
    const voicedFrom = candidates.voicedFrom[frame]!;
    const filled = voicedFrom <= 1 ? candidates.counts[frame]! : 0;
    let best = 0;
    for (let i = 0; i < filled; i += 1) {
      const lag = candidates.lags[base + i]!;
      const value = candidates.values[base + i]! - (LAG_COST * lag) / maxLag;
      best = Math.max(best, value);
      nextLogs[i] = Math.log2(lag);
      let cheapest = costs[MAX_CANDIDATES]! + VOICING_COST;
      let from = MAX_CANDIDATES;
      for (let j = 0; j < before; j += 1) {
        const cost = costs[j]! + JUMP_COST * Math.abs(nextLogs[i]! - logs[j]!);
        if (cost < cheapest) {
          cheapest = cost;
          from = j;
        }
      }
      next[i] = cheapest + 1 - value;
      back[frame * places + i] = from;
    }
    let cheapest = costs[MAX_CANDIDATES]!;
    let from = MAX_CANDIDATES;
    for (let j = 0; j < before; j += 1) {
      if (costs[j]! + VOICING_COST < cheapest) {
        cheapest = costs[j]! + VOICING_COST;
        from = j;
      }
    }
    next[MAX_CANDIDATES] = cheapest + (voicedFrom <= 1 ? 1 - voicedFrom + Math.max(0, best - voicedFrom) : 0);
    back[frame * places + MAX_CANDIDATES] = from;
    [costs, next] = [next, costs];
    [logs, nextLogs] = [nextLogs, logs];
    before = filled;
  }
  let place = MAX_CANDIDATES;
  for (let j = 0; j < before; j += 1) if (costs[j]! < costs[place]!) place = j;
  for (let frame = count - 1; frame >= 0; frame -= 1) {
    if (place < MAX_CANDIDATES) pitchHz[frame] = SEARCH_RATE_HZ / candidates.lags[frame * MAX_CANDIDATES + place]!;
    place = back[frame * places + place]!;
  }
  return pitchHz;
}
