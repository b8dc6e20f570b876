import { joinSamples } from '@jyutsing/audio/join-samples';
import { decodeAudio } from '@jyutsing/audio/decode';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

const LONGEST_MS = 36e6;
const CHUNK_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ / 2;

/** A recording as recognisers are given it. Throws as `decodeAudio` does. */
export function decodeRecording(path: string): AsyncGenerator<PcmChunk> {
  const { signal } = new AbortController();
  return decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, signal, maxDurationMs: LONGEST_MS });
}

/** The samples of a recording, or of its beginning. */
export async function readSamples(path: string, mostSeconds = Infinity): Promise<Float32Array> {
  const most = mostSeconds * RECOGNIZER_SAMPLE_RATE_HZ;
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

/** Samples as a stream of half seconds. */
export async function* asChunks(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    const startMs = (at * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    // Copied, because engines may keep or hand on what they are given.
    yield { samples: samples.slice(at, at + CHUNK_SAMPLES), sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs };
  }
}
