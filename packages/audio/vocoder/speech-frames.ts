/** Time between frames; frame k describes the sound around k · 5 ms. */
export const FRAME_MS = 5;
/** Internal rate of the vocoder, whatever the rate of its input. */
export const VOCODER_SAMPLE_RATE_HZ = 24_000;
/** Samples from one frame to the next. */
export const FRAME_SAMPLES = (VOCODER_SAMPLE_RATE_HZ * FRAME_MS) / 1_000;
export const TRANSFORM_SIZE = 1_024;
/** Bins of an envelope: linear in frequency from 0 to 12 kHz, both included. */
export const ENVELOPE_BINS = TRANSFORM_SIZE / 2 + 1;
export const HZ_PER_BIN = VOCODER_SAMPLE_RATE_HZ / TRANSFORM_SIZE;
/**
 * Edges of the bands in which noise and tone are separated: finer where voices differ, coarser
 * where hearing is less selective.
 */
export const NOISE_BAND_EDGES_HZ: readonly number[] = [0, 600, 1_200, 2_000, 3_000, 4_200, 5_600, 7_200, 9_200, 12_000];
export const NOISE_BANDS = NOISE_BAND_EDGES_HZ.length - 1;

/**
 * Speech as a source and a filter, in frames of 5 ms. Envelopes are power spectral densities: 0 dB
 * everywhere is white with variance 1, for noise and for pulses.
 */
export type SpeechFrames = {
  count: number;
  /** `count` fundamental frequencies in Hz; 0 is unvoiced. */
  pitchHz: Float32Array;
  /** `count` × `ENVELOPE_BINS`: the spectral envelope without harmonics, dB. */
  envelopeDb: Float32Array;
  /** `count` × `NOISE_BANDS`: share of the power that is noise, 0..1; 1 in unvoiced frames. */
  noiseShares: Float32Array;
};

/** One frame, as the resynthesizer takes it. */
export type SpeechFrame = { pitchHz: number; envelopeDb: Float32Array; noiseShares: Float32Array };
