import { WebSocket } from 'ws';
import { resample } from '#packages/audio/vocoder/resample.ts';
import type { Sound } from '#testbed/sound/audio.ts';

/** The fields that tests read; each event has some of them. */
export type LiveClientEvent = {
  type: string;
  event_id: string;
  item_id?: string;
  item?: { id: string };
  previous_item_id?: string | null;
  audio_start_ms?: number;
  audio_end_ms?: number;
  delta?: string;
  transcript?: string;
  usage?: { type: string; seconds: number };
  error?: { code: string; type: string; message: string; param: string | null; event_id: string | null };
  session?: { audio: { input: Record<string, unknown> } };
};

/** A client of a WebSocket that records what it receives. */
export type LiveClient = {
  socket: WebSocket;
  events: LiveClientEvent[];
  /** The binary messages. */
  sounds: Buffer[];
  send(message: object): void;
  /** Waits for the first event of a type, or for the one with that number, from 0 on. */
  next(type: string, number?: number): Promise<LiveClientEvent>;
  all(type: string): LiveClientEvent[];
  /** Code and reason of the close. */
  closed: Promise<{ code: number; reason: string }>;
};

const NEXT_MS = 60_000;

/** Opens a WebSocket of a server; the key is in a header unless `protocols` have it. */
export async function openLive(
  baseUrl: string,
  path: string,
  { key, protocols = [], headers = {} }: { key?: string; protocols?: string[]; headers?: Record<string, string> } = {},
): Promise<LiveClient> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}${path}`, protocols, {
    headers: { ...authorization, ...headers },
  });
  const events: LiveClientEvent[] = [];
  const sounds: Buffer[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) sounds.push(data);
    else events.push(JSON.parse(String(data)) as LiveClientEvent);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const all = (type: string) => events.filter((event) => event.type === type);
  return {
    socket,
    events,
    sounds,
    send: (message) => socket.send(JSON.stringify(message)),
    next: (type, number = 0) => firstOf(socket, () => all(type)[number], type),
    all,
    closed,
  };
}

/**
 * Returns what `find` gives once a message has brought it. Benchmarks use it too, outside of a
 * test.
 */
function firstOf<Found>(socket: WebSocket, find: () => Found | undefined, what: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      clearTimeout(late);
      socket.off('message', check);
      action();
    };
    const check = () => {
      const found = find();
      if (found !== undefined) settle(() => resolve(found));
    };
    const late = setTimeout(() => settle(() => reject(new Error(`"${what}" did not come.`))), NEXT_MS);
    socket.on('message', check);
    check();
  });
}

/** The HTTP answer of a handshake that is refused. */
export function refusal(
  baseUrl: string,
  path: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}${path}`, protocols, { headers });
    socket.on('error', () => {});
    socket.on('open', () => reject(new Error('the handshake was accepted')));
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
}

/** 16-bit little-endian mono PCM of a sound. */
export function pcmOf({ channels, sampleRateHz }: Sound, rateHz: number): Buffer {
  const samples = resample(channels[0] ?? new Float32Array(0), sampleRateHz, rateHz);
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2);
  }
  return bytes;
}

/** The pieces that a client sends one after the other. */
export function piecesOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** Sends sound as OpenAI's clients do. */
export function append(client: Pick<LiveClient, 'send'>, bytes: Buffer, size = 9_600): void {
  for (const piece of piecesOf(bytes, size)) {
    client.send({ type: 'input_audio_buffer.append', audio: piece.toString('base64') });
  }
}
