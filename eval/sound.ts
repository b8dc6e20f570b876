import { joinSamples } from '@jyutsing/audio/join-samples';
import { decodeAudio } from '@jyutsing/audio/decode';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { quantile } from '@jyutsing/numeric/statistics';

const MAX_DURATION_MS = 36e6;
const CHUNK_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ / 2;

/** Decodes a recording to the format of recognizers. Throws what `decodeAudio` throws. */
export function decodeRecording(path: string): AsyncGenerator<PcmChunk> {
  const { signal } = new AbortController();
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, signal, maxDurationMs: MAX_DURATION_MS });
}

/** The samples of a recording, or of its first seconds. */
export async function readSamples(path: string, maxSeconds = Infinity): Promise<Float32Array> {
  const most = maxSeconds * RECOGNIZER_SAMPLE_RATE_HZ;
  const pieces: Float32Array[] = [];
  let length = 0;
  for await (const { samples } of decodeRecording(path)) {
    pieces.push(samples);
    length += samples.length;
    if (length >= most) break;
  }
  const joined = joinSamples(pieces);
  return joined.length > most ? joined.slice(0, most) : joined;
}

/** Splits samples into chunks of half a second. */
export async function* asChunks(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    const startMs = (at * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    // Copied, because engines may keep or transfer their input.
    yield { samples: samples.slice(at, at + CHUNK_SAMPLES), sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs };
  }
}

/** Frames of 10 ms, and how far below the loud ones speech begins, as a share of the amplitude. */
const FRAME = RECOGNIZER_SAMPLE_RATE_HZ / 100;
const AUDIBLE = 0.05;

/** The sound from the first to the last frame that is loud enough, whatever a detector says. */
export function withoutSilence(samples: Float32Array): Float32Array {
  const levels = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) =>
    Math.sqrt(samples.subarray(frame * FRAME, (frame + 1) * FRAME).reduce((sum, x) => sum + x * x, 0) / FRAME),
  );
  const least = AUDIBLE * quantile(levels, 0.95);
  const from = levels.findIndex((level) => level >= least);
  return samples.slice(from * FRAME, (levels.findLastIndex((level) => level >= least) + 1) * FRAME);
}
