import { ENVELOPE_BINS, FRAME_MS, type SpeechFrames } from '@jyutsing/audio/vocoder/speech-frames';

/** Half of the window in which the level is measured, in milliseconds: about a frame. */
const HALF_WINDOW_MS = 4;
/** Largest corrections in dB, so that analysis errors do not become loud. */
const MAX_RISE_DB = 9;
const MAX_FALL_DB = -45;
const FLOOR_POWER = 1e-11;
/** Distance of the bins that are read: envelopes are smooth, so every Nth bin is enough. */
const BIN_STEP = 4;

/**
 * Gives unvoiced frames the actual level of the audio at their time, in place. Analysis windows
 * span several frames and fill the silence of a stop with the noise after it, which makes `zh`
 * sound like `sh`.
 */
export function restoreTransients(frames: SpeechFrames, samples: Float32Array, sampleRateHz: number): void {
  const half = Math.round((HALF_WINDOW_MS / 1_000) * sampleRateHz);
  for (let frame = 0; frame < frames.count; frame += 1) {
    if (frames.pitchHz[frame]! > 0) continue;
    const center = Math.round(((frame * FRAME_MS) / 1_000) * sampleRateHz);
    const actualPower = powerAround(samples, center, half);
    const bins = frames.envelopeDb.subarray(frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS);
    let power = FLOOR_POWER;
    for (let k = 0; k < ENVELOPE_BINS; k += BIN_STEP) power += (10 ** (bins[k]! / 10) * BIN_STEP) / ENVELOPE_BINS;
    const gainDb = Math.min(MAX_RISE_DB, Math.max(MAX_FALL_DB, 10 * Math.log10(actualPower / power)));
    for (let k = 0; k < ENVELOPE_BINS; k += 1) bins[k]! += gainDb;
  }
}

/** Computes the mean square in a Hann window. */
function powerAround(samples: Float32Array, center: number, half: number): number {
  let power = 0;
  let weights = 0;
  for (let n = -half; n <= half; n += 1) {
    const weight = 0.5 + 0.5 * Math.cos((Math.PI * n) / (half + 1));
    const sample = samples[center + n] ?? 0;
    power += weight * sample * sample;
    weights += weight;
  }
  return FLOOR_POWER + power / weights;
}
