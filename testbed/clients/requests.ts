import { connect } from 'node:net';

export type Answer = { status: number; headers: Headers; body: Json };
/** JSON values that tests read. */
export type Json = { [name: string]: Json } & { toString(): string };

export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

/** A form with these parts in this order; bytes become the file. */
export function form(...parts: [name: string, value: string | Uint8Array<ArrayBuffer>][]): RequestInit {
  const body = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value]), 'recording.wav');
  }
  return { method: 'POST', body };
}

export function json(method: string, body: unknown, key?: string): RequestInit {
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) };
  return { method, headers, body: JSON.stringify(body) };
}

export function withKey(key: string): RequestInit {
  return { headers: { 'x-api-key': key } };
}

let made = 0;

/** A mono 16-bit WAV file of a tone, 16 kHz. Different each time, so that no result is cached. */
export function wav(seconds: number): Uint8Array<ArrayBuffer> {
  made += 1;
  const samples = Math.round(seconds * 16_000);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(16_000, 24);
  bytes.writeUInt32LE(32_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i += 1) bytes.writeInt16LE(Math.round(8_000 * Math.sin(i / 6 + made)), 44 + i * 2);
  return new Uint8Array(bytes);
}

/** Sends raw bytes and returns everything received until the server closes or `untilMs`. */
export async function sendRaw(port: number, bytes: string | Buffer, untilMs = 1_000): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.on('error', () => {});
  // `once` of node:events would reject on a reset even after data was received.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  socket.setTimeout(untilMs, () => socket.destroy());
  await closed;
  return received;
}
