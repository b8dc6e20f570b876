import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { withinFullScale } from './sample-values.ts';

/** Length of the pieces in which raw audio is read: one second. */
const PIECE_SAMPLES = 24_000;
const SAMPLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * Reads raw little-endian floats of a file in order. Yields to the event loop between pieces; an
 * aborted signal throws its reason. NaN becomes silence, louder samples are clipped.
 */
export async function* readRawSpeech(path: string, signal: AbortSignal): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const file = await open(path, 'r');
  try {
    for (let position = 0; ;) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      const bytes = await readFully(file, position);
      const samples = new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / SAMPLE_BYTES));
      if (samples.length > 0) yield withinFullScale(samples);
      if (bytes.length < PIECE_SAMPLES * SAMPLE_BYTES) return;
      position += bytes.length;
    }
  } finally {
    await file.close();
  }
}

async function readFully(file: FileHandle, position: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(PIECE_SAMPLES * SAMPLE_BYTES);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
