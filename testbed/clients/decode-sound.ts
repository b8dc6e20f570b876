import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { fromInt16Bytes } from '#packages/audio/encoding/sample-values.ts';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { OWNER_KEY, request, submission } from '#testbed/service/service.ts';

/** Sample rate of every stream. */
export const STREAM_RATE_HZ = 24_000;

/** JSON request with the owner's key in its body unless `body` has another. */
export function jsonRequest(body: Record<string, unknown>, method = 'POST'): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: OWNER_KEY, ...body }),
  };
}

/** Converts raw s16le mono to a sound. Throws when half a sample is left over. */
export function decodePcm(bytes: Uint8Array, sampleRateHz = STREAM_RATE_HZ): Sound {
  if (bytes.length % 2 !== 0) throw new Error('half a sample is left over');
  return { sampleRateHz, channels: [fromInt16Bytes(bytes)] };
}

/** Decodes a file in any format to mono at 24 kHz. */
export async function decodeFile(bytes: Uint8Array): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-sound-'));
  try {
    const path = join(folder, 'sound');
    await writeFile(path, bytes);
    const pieces: Float32Array[] = [];
    const options = { sampleRateHz: STREAM_RATE_HZ, maxDurationMs: 3_600_000, signal: new AbortController().signal };
    for await (const { samples } of decodeAudio(path, options)) pieces.push(samples);
    return { sampleRateHz: STREAM_RATE_HZ, channels: [joinSamples(pieces)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Raw transcript of a sound by the service, in a blocking call. */
export async function transcribeSound(baseUrl: string, sound: Sound, language = 'cantonese'): Promise<string> {
  const fields = { wait_for_completion: 'true', skip_fusion: 'true', lang: language };
  const { body } = await request(`${baseUrl}/api/stt`, submission(wavBytes(sound), fields));
  return String(body['text']);
}

/** Root mean square of the samples between two times. */
export function levelOf({ sampleRateHz, channels }: Sound, fromMs = 0, toMs = Infinity): number {
  const samples = channels[0]!.subarray(
    (fromMs * sampleRateHz) / 1_000,
    Math.min(channels[0]!.length, (toMs * sampleRateHz) / 1_000),
  );
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}
