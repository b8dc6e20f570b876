import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavBytes } from '#testbed/sound/audio.ts';
import { refuseSpeech, type SpeechProduct } from './speech-refusals.ts';
import { OWN_PITCH_HZ, pitchOf, singText } from '../sung-text.ts';

/** One request as received. */
type SpeechPost = { path: string; authorization: string | null; body: Record<string, unknown> };

/** Answer to a request. */
export type SpeechReaction =
  /** Sings the text, in chunks of the given size and with pauses in between. */
  | { kind: 'sing'; chunkBytes?: number; pauseMs?: number }
  /** The same as one WAV file; `declared` false: its header does not say how long it is. */
  | { kind: 'wav'; declared?: boolean; sampleRateHz?: number }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** 200 with an arbitrary body. */
  | { kind: 'body'; body: string | Uint8Array; type?: string }
  /** Sends the given number of bytes, then closes the connection within a chunked body. */
  | { kind: 'cut'; afterBytes: number }
  /** Resets the connection before an answer. */
  | { kind: 'reset' }
  /** Stalls before an answer, after the headers, or after some audio. */
  | { kind: 'hang'; after: 'nothing' | 'headers' | 'some-sound' }
  /** An endless tone, or silence, as fast as the client reads. */
  | { kind: 'endless'; level: number }
  /** A few bytes at intervals. */
  | { kind: 'drip'; bytes: number; everyMs: number };

export type SpeechServer = {
  /** Ends in /v1. */
  baseUrl: string;
  posts: SpeechPost[];
  behave(behavior: Behavior): void;
  imitate(product: SpeechProduct): void;
  /** Number of answers that the client aborted. */
  abandoned(): number;
  busy(): number;
  /** Bytes of audio written to the network. */
  sentBytes(): number;
  close(): Promise<void>;
};

type Behavior = (post: SpeechPost, index: number) => SpeechReaction;
const sing: Behavior = () => ({ kind: 'sing' });
const RATE_HZ = 24_000;

/**
 * Fakes POST /v1/audio/speech. It sings one note per letter or character of the text, at its own
 * pitch or at that of `ref_audio`, so that tests can identify the text and the voice. It rejects
 * what each real server rejects, and fails as servers and proxies do.
 */
export async function startSpeechServer(key: string | null = null): Promise<SpeechServer> {
  const posts: SpeechPost[] = [];
  const counts = { abandoned: 0, busy: 0, sentBytes: 0 };
  let behavior = sing;
  let product: SpeechProduct = 'vllm-omni';

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    counts.busy += 1;
    response.on('close', () => {
      counts.busy -= 1;
      if (!response.writableEnded) counts.abandoned += 1;
    });
    const post = await read(request);
    const index = posts.push(post) - 1;
    const refusal = refuse(post, key) ?? refuseSpeech(post.body, product);
    if (refusal !== null) return send(response, refusal.status, refusal.body);
    const reaction = behavior(post, index);
    const isPlain = reaction.kind === 'sing' && product === 'localai';
    await react(response, post, isPlain ? { kind: 'wav', sampleRateHz: 22_050 } : reaction, product, (bytes) => {
      counts.sentBytes += bytes;
    });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    posts,
    behave: (next) => void (behavior = next),
    imitate: (next) => void (product = next),
    abandoned: () => counts.abandoned,
    busy: () => counts.busy,
    sentBytes: () => counts.sentBytes,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<SpeechPost> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  return { path: request.url ?? '', authorization: request.headers.authorization ?? null, body };
}

function refuse({ path, authorization }: SpeechPost, key: string | null): { status: number; body: string } | null {
  if (path !== '/v1/audio/speech') return { status: 404, body: '{"detail":"Not Found"}' };
  if (key === null || authorization === `Bearer ${key}`) return null;
  return { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key: ${authorization}` } }) };
}

async function react(
  response: ServerResponse,
  { body }: SpeechPost,
  reaction: SpeechReaction,
  product: SpeechProduct,
  onSent: (bytes: number) => void,
): Promise<void> {
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    if (response.destroyed) return false;
    if (!response.write(bytes)) await drained(response);
    onSent(bytes.length);
    return !response.destroyed;
  };
  const begin = () => response.writeHead(200, { 'content-type': 'audio/pcm' }).flushHeaders();
  switch (reaction.kind) {
    case 'sing': {
      begin();
      const pcm = soundOf(body, product);
      const { chunkBytes = 4_097, pauseMs = 0 } = reaction;
      for (let at = 0; at < pcm.length; at += chunkBytes) {
        if (!(await write(pcm.subarray(at, at + chunkBytes)))) return;
        if (pauseMs > 0) await sleep(pauseMs);
      }
      return void response.end();
    }
    case 'wav': {
      const { declared = true, sampleRateHz = RATE_HZ } = reaction;
      const file = wavBytes({ sampleRateHz, channels: [sung(body, sampleRateHz)] });
      // Length fields of streamed WAV files, whose length is not known in advance.
      if (!declared) for (const at of [4, 40]) file.writeUInt32LE(0xffff_ffff, at);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      return void response.end(file);
    }
    case 'status':
      return send(response, reaction.status, reaction.body ?? '{"error":{"message":"no"}}', reaction.headers);
    case 'body':
      response.writeHead(200, { 'content-type': reaction.type ?? 'application/octet-stream' });
      return void response.end(reaction.body);
    case 'cut':
      begin();
      if (reaction.afterBytes > 0) await write(soundOf(body, product).subarray(0, reaction.afterBytes));
      await sleep(30);
      return void response.destroy();
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'hang':
      if (reaction.after !== 'nothing') begin();
      if (reaction.after === 'some-sound') await write(soundOf(body, product).subarray(0, 20_000));
      return;
    case 'endless': {
      begin();
      const block = toPcm(Float32Array.from({ length: 24_000 }, (_, i) => reaction.level * Math.sin(i / 20)));
      while (await write(block));
      return;
    }
    case 'drip':
      begin();
      while (await write(Buffer.alloc(reaction.bytes, 0x11))) await sleep(reaction.everyMs);
      return;
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** Raw samples for a request, at the requested rate if the server supports that field. */
function soundOf(body: Record<string, unknown>, product: SpeechProduct): Buffer {
  const sampleRateHz = product === 'openai' ? RATE_HZ : Number(body['sample_rate'] ?? RATE_HZ);
  return toPcm(sung(body, sampleRateHz));
}

function sung(body: Record<string, unknown>, sampleRateHz: number): Float32Array {
  const reference = body['ref_audio'];
  const pitchHz = typeof reference === 'string' ? pitchOf(reference) : OWN_PITCH_HZ;
  return singText(String(body['input']), { pitchHz, speed: Number(body['speed'] ?? 1), sampleRateHz });
}

function toPcm(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) bytes.writeInt16LE(Math.round(sample * 32_767), i * 2);
  return bytes;
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
