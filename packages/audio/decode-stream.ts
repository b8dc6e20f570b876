import { decodeToChunks } from './decode.ts';
import { RecordingClock } from './recording-clock.ts';
import { openOpusPackets, openStreamInput } from './stream-input.ts';

/** Compressed sound that arrives in parts: a container, or messages of one Opus packet each. */
export type StreamFormat = { encoding: 'container' } | { encoding: 'opus'; channels: number };

type StreamOptions = { sampleRateHz: number; signal: AbortSignal };

/** Chunks are short, because the recognized text waits for each. */
const CHUNK_MS = 60;

/**
 * Decodes sound to mono chunks while it arrives. Throws `unsupported_audio_format` and
 * `corrupt_audio`; an aborted signal throws its reason.
 */
export async function* decodeStream(
  source: AsyncIterable<Uint8Array>,
  format: StreamFormat,
  { sampleRateHz, signal }: StreamOptions,
): AsyncGenerator<Float32Array> {
  const input =
    format.encoding === 'opus'
      ? openOpusPackets(source, format.channels, signal)
      : await openStreamInput(source, signal);
  try {
    const clock = new RecordingClock(input.clockStart);
    yield* decodeToChunks(input, clock, { sampleRateHz, signal, chunkMs: CHUNK_MS, isStream: true });
  } finally {
    await input.close();
  }
}
