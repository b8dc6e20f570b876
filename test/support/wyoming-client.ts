import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { piecesOf } from '#testbed/clients/live-client.ts';

type Received = { type: string; data: Record<string, unknown>; payload: Buffer };

/** A client of the Wyoming protocol, which reads events as the Python library does. */
export type WyomingTestClient = {
  socket: Socket;
  events: Received[];
  types(): string[];
  send(type: string, data?: object, payload?: Buffer): void;
  /** Waits for the first event of a type. */
  next(type: string): Promise<Received>;
  /** Resolves when the server has ended its side. */
  ended: Promise<unknown>;
};

export async function openWyoming(port: number): Promise<WyomingTestClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const ended = once(socket, 'end').catch(() => {});
  await once(socket, 'connect');
  const events: Received[] = [];
  let held = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (let read = eventIn(held); read !== null; read = eventIn(held)) {
      events.push(read.event);
      held = held.subarray(read.size);
    }
  });
  return {
    socket,
    events,
    types: () => events.map(({ type }) => type),
    send(type, data, payload) {
      const body = data === undefined ? '' : JSON.stringify(data);
      const lengths = { data_length: Buffer.byteLength(body), payload_length: payload?.length ?? 0 };
      socket.write(`${JSON.stringify({ type, version: '1.9.0', ...lengths })}\n${body}`);
      if (payload !== undefined) socket.write(payload);
    },
    async next(type) {
      const found = () => events.find((event) => event.type === type);
      await expect.poll(found, { interval: 10 }).toBeDefined();
      return found()!;
    },
    ended,
  };
}

function eventIn(bytes: Buffer): { event: Received; size: number } | null {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd < 0) return null;
  const header = JSON.parse(bytes.toString('utf8', 0, lineEnd)) as {
    type: string;
    data_length?: number;
    payload_length?: number;
  };
  const dataEnd = lineEnd + 1 + (header.data_length ?? 0);
  const size = dataEnd + (header.payload_length ?? 0);
  if (bytes.length < size) return null;
  const data = dataEnd > lineEnd + 1 ? bytes.toString('utf8', lineEnd + 1, dataEnd) : '{}';
  const payload = bytes.subarray(dataEnd, size);
  return { event: { type: header.type, data: JSON.parse(data) as Received['data'], payload }, size };
}

const FORMAT = { rate: 16_000, width: 2, channels: 1 };

/** Sends what Home Assistant sends for a voice command: 16 kHz, 16 bit, mono. */
export async function hear(client: WyomingTestClient, sound: Buffer, language = 'yue'): Promise<string> {
  client.send('transcribe', { language });
  client.send('audio-start', { ...FORMAT, timestamp: null });
  for (const piece of piecesOf(sound, 2_048)) client.send('audio-chunk', { ...FORMAT, timestamp: null }, piece);
  client.send('audio-stop', { timestamp: null });
  return String((await client.next('transcript')).data['text']);
}

/** The sound of all answers so far. */
export function soundOf({ events }: WyomingTestClient): Buffer {
  return Buffer.concat(events.flatMap(({ type, payload }) => (type === 'audio-chunk' ? [payload] : [])));
}
