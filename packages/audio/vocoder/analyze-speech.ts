import { trackPitch } from '#audio/voice/track-pitch.ts';
import { createEnvelopeAnalyzer } from './envelope.ts';
import { createNoiseAnalyzer } from './noise-shares.ts';
import { resample } from './resample.ts';
import {
  ENVELOPE_BINS,
  FRAME_SAMPLES,
  HZ_PER_BIN,
  NOISE_BAND_EDGES_HZ,
  NOISE_BANDS,
  VOCODER_SAMPLE_RATE_HZ,
  type SpeechFrames,
} from './speech-frames.ts';

export type AnalysisOptions = {
  /**
   * The pitch if it is known: one value per frame in hertz (0 = unvoiced), or a constant that the
   * voice stays near.
   */
  pitchHz?: Float32Array | number;
  /** Range of the search, in hertz, when the pitch is not known. */
  minHz?: number;
  maxHz?: number;
};

/** Search range around a constant pitch, as a factor. */
const CONSTANT_RANGE = 1.25;
/**
 * Share of the input's Nyquist frequency that is usable; above it is only the filters' transition
 * band.
 */
const TRUSTED_SHARE = 0.9;
/** Slope of the extrapolation above the usable band. */
const FADE_DB_PER_KHZ = 6;
/** Bins below the usable edge whose mean the extrapolation starts from. */
const FADE_START_BINS = 12;

/**
 * Analyses speech into frames of 5 ms: pitch, spectral envelope, share of noise. Samples are mono
 * floats of any rate; the envelope above the input's Nyquist frequency is extrapolated. Frame k is
 * at k · 5 ms; the last one at or before the end.
 */
export function analyzeSpeech(
  samples: Float32Array,
  sampleRateHz: number,
  { pitchHz, minHz = 60, maxHz = 500 }: AnalysisOptions = {},
): SpeechFrames {
  const sound = resample(samples, sampleRateHz, VOCODER_SAMPLE_RATE_HZ);
  const count = sound.length === 0 ? 0 : Math.floor((sound.length - 1) / FRAME_SAMPLES) + 1;
  const frames: SpeechFrames = {
    count,
    pitchHz: new Float32Array(count),
    envelopeDb: new Float32Array(count * ENVELOPE_BINS),
    noiseShares: new Float32Array(count * NOISE_BANDS).fill(1),
  };
  if (pitchHz instanceof Float32Array) frames.pitchHz.set(pitchHz.subarray(0, count));
  else {
    const range =
      pitchHz === undefined ? { minHz, maxHz } : { minHz: pitchHz / CONSTANT_RANGE, maxHz: pitchHz * CONSTANT_RANGE };
    frames.pitchHz.set(trackPitch(sound, VOCODER_SAMPLE_RATE_HZ, range).pitchHz.subarray(0, count));
  }
  const analyzeEnvelope = createEnvelopeAnalyzer();
  const analyzeNoise = createNoiseAnalyzer();
  const trustedHz = TRUSTED_SHARE * Math.min(sampleRateHz, VOCODER_SAMPLE_RATE_HZ) * 0.5;
  const isNarrow = sampleRateHz < VOCODER_SAMPLE_RATE_HZ;
  for (let frame = 0; frame < count; frame += 1) {
    const center = frame * FRAME_SAMPLES;
    const hz = frames.pitchHz[frame]!;
    analyzeEnvelope(sound, center, hz, frames.envelopeDb, frame * ENVELOPE_BINS);
    if (hz > 0) analyzeNoise(sound, center, hz, frames.noiseShares, frame * NOISE_BANDS);
    if (isNarrow) extrapolate(frames, frame, trustedHz);
  }
  return frames;
}

function extrapolate(frames: SpeechFrames, frame: number, trustedHz: number): void {
  const offset = frame * ENVELOPE_BINS;
  const edge = Math.floor(trustedHz / HZ_PER_BIN);
  const start = Math.max(0, edge - FADE_START_BINS);
  let level = 0;
  for (let k = start; k < edge; k += 1) level += frames.envelopeDb[offset + k]! / (edge - start);
  for (let k = edge; k < ENVELOPE_BINS; k += 1) {
    frames.envelopeDb[offset + k] = level - (FADE_DB_PER_KHZ * (k - edge) * HZ_PER_BIN) / 1_000;
  }
  const shares = frame * NOISE_BANDS;
  for (let band = 1; band < NOISE_BANDS; band += 1) {
    const middleHz = (NOISE_BAND_EDGES_HZ[band]! + NOISE_BAND_EDGES_HZ[band + 1]!) / 2;
    if (middleHz > trustedHz) frames.noiseShares[shares + band] = frames.noiseShares[shares + band - 1]!;
  }
}
