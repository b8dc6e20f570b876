import { open } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SpokenTime, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';

/** What a file of raw sound holds. */
export type RecordedSpeech = { durationMs: number; words: readonly SpokenTime[] };

/** The longest text, spoken as slowly as can be asked for, takes less; a speaker that goes on after that has lost its way. */
const MAX_DURATION_MS = 90 * 60_000;

/**
 * Writes the sound of the events to a file, mono floats in little-endian order, replacing what was there; memory holds one event at a
 * time. Throws what the events throw, `engine_failed` for one and a half hours of sound, `service_unavailable` when the disk is full.
 */
export async function recordSpeech(events: AsyncIterable<SynthesisEvent>, path: string): Promise<RecordedSpeech> {
  await using file = await open(path, 'w', 0o600);
  const words: SpokenTime[] = [];
  let samples = 0;
  for await (const event of events) {
    if (event.type === 'word') words.push(event.word);
    else {
      await write(file, event.samples);
      samples += event.samples.length;
      if (inMs(samples) > MAX_DURATION_MS)
        throw new AppError('engine_failed', 'The speech model did not come to an end.');
    }
  }
  return { durationMs: inMs(samples), words };
}

async function write(file: { writeFile(data: Uint8Array): Promise<void> }, samples: Float32Array): Promise<void> {
  try {
    // From the present position on.
    await file.writeFile(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
    throw new AppError('service_unavailable', 'The server has no room for files at present.', { cause });
  }
}

function inMs(samples: number): number {
  return (samples * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ;
}
