import { quantile } from '@jyutsing/numeric/statistics';
import { ENVELOPE_BINS, HZ_PER_BIN, type SpeechFrames } from '#audio/vocoder/speech-frames.ts';

/** A stretch of speech in a recording. */
export type SpeechTimes = { startMs: number; endMs: number };

/**
 * Share of the highest level from which on samples count as cut off: codecs and filters bend flat
 * tops a little.
 */
const CLIPPED_LEVEL = 0.93;
export const MAX_CLIPPED_SHARE = 0.002;
/** Least distance of speech from the background, dB. */
export const MIN_SNR_DB = 12;
const LEVEL_FRAME_MS = 20;
/** Measures the background as a low percentile; single frames may be digital silence. */
const BACKGROUND_SHARE = 0.05;

/**
 * Returns the share of the samples that are near the highest of all: overdriven recordings have
 * flat tops.
 */
export function clippedShare(samples: Float32Array): number {
  let highest = 0;
  for (const sample of samples) highest = Math.max(highest, Math.abs(sample));
  let count = 0;
  for (const sample of samples) if (Math.abs(sample) >= CLIPPED_LEVEL * highest) count += 1;
  return highest === 0 ? 0 : count / samples.length;
}

/**
 * Computes the speech level above the background in dB; everything outside `spans` is background.
 */
export function snrDb(samples: Float32Array, sampleRateHz: number, spans: readonly SpeechTimes[]): number {
  const length = Math.round((sampleRateHz * LEVEL_FRAME_MS) / 1_000);
  const powers: number[] = [];
  let speech = 0;
  let speechFrames = 0;
  for (let at = 0; at + length <= samples.length; at += length) {
    let power = 0;
    for (let i = at; i < at + length; i += 1) power += samples[i]! ** 2 / length;
    powers.push(power);
    const ms = (at * 1_000) / sampleRateHz;
    if (!spans.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)) continue;
    speech += power;
    speechFrames += 1;
  }
  const background = quantile(powers, BACKGROUND_SHARE, 0);
  return 10 * Math.log10((speech / Math.max(1, speechFrames) + 1e-12) / (background + 1e-10));
}

/** Least shares of voiced and of unvoiced frames in speech. */
const MIN_VOICED_SHARE = 0.12;
const MAX_VOICED_SHARE = 0.97;
/**
 * Least spectral change of voiced frames within 100 ms, dB: articulators move, instruments sustain.
 */
const MIN_SPECTRAL_CHANGE_DB = 2.5;
const CHANGE_FRAMES = 20;
/** Speech has at least this range of pitch. */
const MIN_PITCH_RANGE_SEMITONES = 0.8;

/**
 * Checks for music or tones that the speech detector took for speech: in speech the sound changes
 * all the time.
 */
export function soundsLikeSpeech(frames: SpeechFrames): boolean {
  const voicedShare = frames.pitchHz.reduce((count, hz) => count + (hz > 0 ? 1 : 0), 0) / Math.max(1, frames.count);
  if (voicedShare < MIN_VOICED_SHARE || voicedShare > MAX_VOICED_SHARE) return false;
  return pitchRangeSemitones(frames) >= MIN_PITCH_RANGE_SEMITONES && spectralChangeDb(frames) >= MIN_SPECTRAL_CHANGE_DB;
}

/** Returns the range from the 10th to the 90th percentile. */
function pitchRangeSemitones(frames: SpeechFrames): number {
  const voiced = frames.pitchHz.filter((hz) => hz > 0);
  return voiced.length === 0 ? 0 : 12 * Math.log2(quantile(voiced, 0.9) / quantile(voiced, 0.1));
}

/**
 * Computes the mean difference of voiced envelopes 100 ms apart from 300 Hz to 4 kHz, without their
 * levels.
 */
function spectralChangeDb(frames: SpeechFrames): number {
  const from = Math.round(300 / HZ_PER_BIN);
  const to = Math.round(4_000 / HZ_PER_BIN);
  let sum = 0;
  let count = 0;
  for (let frame = CHANGE_FRAMES; frame < frames.count; frame += 4) {
    if (frames.pitchHz[frame] === 0 || frames.pitchHz[frame - CHANGE_FRAMES] === 0) continue;
    const at = frame * ENVELOPE_BINS;
    const before = at - CHANGE_FRAMES * ENVELOPE_BINS;
    let mean = 0;
    for (let k = from; k < to; k += 1) mean += frames.envelopeDb[at + k]! - frames.envelopeDb[before + k]!;
    mean /= to - from;
    for (let k = from; k < to; k += 1) {
      sum += Math.abs(frames.envelopeDb[at + k]! - frames.envelopeDb[before + k]! - mean) / (to - from);
    }
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
