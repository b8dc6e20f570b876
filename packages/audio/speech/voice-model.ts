import { VAD_FRAME_SAMPLES } from './vad.ts';

/** Samples at 16 kHz for which a voice model gives one probability: 32 ms. */
export const VOICE_STEP_SAMPLES = 512;

/** Frames of 20 ms up to `endFrame`, exclusive. */
type Span = { firstFrame: number; endFrame: number };

/**
 * Tells how likely somebody speaks in each step of a recording: mono sound at 16 kHz gives one
 * probability, 0..1, for each complete step, whatever the level of the sound.
 */
export type VoiceModel = (samples: Float32Array) => Promise<Float32Array>;

/** Returns the probabilities of the steps that lie in a window. */
export function stepsIn(voice: Float32Array, { firstFrame, endFrame }: Span): Float32Array {
  const toStep = VAD_FRAME_SAMPLES / VOICE_STEP_SAMPLES;
  return voice.subarray(Math.floor(firstFrame * toStep), Math.ceil(endFrame * toStep));
}
