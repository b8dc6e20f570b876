import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_KEY, request } from '#testbed/service/service.ts';

/** 24,000 samples of 16 bits: the streamed audio. */
export const BYTES_PER_SECOND = 48_000;

/**
 * Evaluation sentences as one text, starting with sentence `skip`, so that streams have different
 * texts.
 */
export async function cantoneseText(sentences: number, skip = 0): Promise<string> {
  const path = join(import.meta.dirname, '../../eval/sentences-yue.txt');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return Array.from({ length: sentences }, (_, i) => `${lines[(i + skip) % lines.length]}。`).join('');
}

/** A public voice. */
export async function anyVoice(baseUrl: string): Promise<string> {
  const { body } = await request(`${baseUrl}/api/voices`, { headers: { 'x-api-key': OWNER_KEY } });
  const [voice] = body['voices'] as { voice_id: string }[];
  if (voice === undefined) throw new Error('the service has no voice');
  return voice.voice_id;
}

export type SpeechStream = {
  response: IncomingMessage;
  /** From sending the request to the first byte of audio. */
  firstByteMs: number;
  /** The first bytes, already read from the stream. */
  first: Buffer;
};

/**
 * Requests a stream and waits for its first audio. Does not use `fetch`, whose own queues would be
 * measured too.
 */
export async function openStream(baseUrl: string, voice: string, text: string): Promise<SpeechStream> {
  const body = JSON.stringify({ api_key: OWNER_KEY, text, voice_id: voice });
  const startedMs = performance.now();
  const call = httpRequest(`${baseUrl}/api/tts-stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was refused: ${response.statusCode}`);
  const [first] = (await once(response, 'data')) as [Buffer];
  response.pause();
  return { response, firstByteMs: performance.now() - startedMs, first };
}

/** Reads a stream to its end; returns the seconds of audio in it. */
export async function readToEnd({ response, first }: SpeechStream): Promise<number> {
  let sizeBytes = first.length;
  for await (const chunk of response) sizeBytes += (chunk as Buffer).length;
  return sizeBytes / BYTES_PER_SECOND;
}
