import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { RATE_HZ } from './signal.ts';

const LONGEST_MS = 5_000;

/** A short recording in any format as mono samples at `RATE_HZ`. */
export async function readRecording(path: string): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  const options = { sampleRateHz: RATE_HZ, maxDurationMs: LONGEST_MS, signal: new AbortController().signal };
  for await (const { samples } of decodeAudio(path, options)) pieces.push(samples);
  return joinSamples(pieces);
}

/** The rows of a table, split into columns. */
export function rowsOf(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}
