import { AppError } from '#contracts/errors.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '#contracts/recognizer.ts';
import { decodeAudio } from '#audio/decode.ts';
import { joinSamples } from '#audio/join-samples.ts';

/**
 * The whole of a short recording as mono sound at 16 kHz, in which somebody speaks. Throws `corrupt_audio` for what cannot be decoded,
 * `empty_audio`, `audio_too_long`, and `no_speech` for silence, noise and music.
 */
export async function readSpeech(
  path: string,
  options: { maxDurationMs: number; signal: AbortSignal },
): Promise<Float32Array> {
  const chunks: Float32Array[] = [];
  for await (const { samples } of decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, ...options })) {
    chunks.push(samples);
  }
  if (chunks.length === 0) throw new AppError('empty_audio');
  return joinSamples(chunks);
}
