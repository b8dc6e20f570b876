import type { HostileSocket } from './hostile-socket.ts';

/** One hostile connection without a valid key, from its first byte to its last. */
type Attack = (socket: HostileSocket, turn: number) => Promise<void>;

const MIB = 1_024 ** 2;
/**
 * Milliseconds of silence of an attack, after which it gives up; a server that never closes would
 * hold it for ever.
 */
const HOLD_MS = 45_000;
const FORM_PATHS = ['/api/stt', '/', '/api/score-pronunciation', '/api/voices', '/v1/audio/transcriptions'];
const JSON_PATHS = [
  '/api/tts-stream',
  '/api/tts',
  '/v1/audio/speech',
  '/api/video-summary/summarize-from-url',
  '/api/corpora',
  '/api/stt',
  '/api/admin/accounts',
  '/nowhere',
];
const FORM_TYPE = 'multipart/form-data; boundary=b';

/** Every attack by name. None sends more than 100 MB over its connection. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  /** Sends fields that are declared as JSON, which are parsed and kept; then silence. */
  async 'forms of JSON'(socket, turn) {
    const value = `[${'{},'.repeat(21_000)}{}]`;
    await socket.write(head('POST', pick(FORM_PATHS, turn), FORM_TYPE, 100 * MIB));
    for (let i = 0; i < 199 && !socket.isAnswered(); i += 1) await socket.write(field(`f${i}`, value, JSON_PART));
    await socket.hold(HOLD_MS);
  },

  /** Sends hundreds of unknown fields of almost a megabyte; then silence. */
  async 'forms of text'(socket, turn) {
    const value = 'x'.repeat(900_000);
    await socket.write(head('POST', pick(FORM_PATHS, turn), FORM_TYPE, 100 * MIB));
    for (let i = 0; i < 100 && !socket.isAnswered(); i += 1) await socket.write(field(`f${i}`, value, ''));
    await socket.hold(HOLD_MS);
  },

  async 'wide JSON'(socket, turn) {
    await sendWhole(socket, pick(JSON_PATHS, turn), `{"a":[${'{},'.repeat(300_000)}{}]}`);
  },

  async 'deep JSON'(socket, turn) {
    await sendWhole(socket, pick(JSON_PATHS, turn), '['.repeat(5_000_000));
  },

  async 'deep and wide JSON below every limit'(socket, turn) {
    const body = `{"a":[${'[[]],'.repeat(12_000)}[]]}`;
    for (let i = 0; i < 50 && !socket.isAnswered(); i += 1) await sendWhole(socket, pick(JSON_PATHS, turn), body);
  },

  async 'half a JSON body'(socket, turn) {
    await socket.write(head('POST', pick(JSON_PATHS, turn), 'application/json', MIB - 1));
    await socket.write(`{"text":"${'x'.repeat(MIB / 2)}`);
    await socket.hold(HOLD_MS);
  },

  async 'half a form'(socket, turn) {
    await socket.write(head('POST', pick(FORM_PATHS, turn), FORM_TYPE, 15 * MIB));
    for (let i = 0; i < 70 && !socket.isAnswered(); i += 1) {
      await socket.write(field('context', 'x'.repeat(63 * 1_024), ''));
    }
    await socket.hold(HOLD_MS);
  },

  async 'one byte of a file every second'(socket, turn) {
    await socket.write(head('POST', pick(FORM_PATHS, turn), FORM_TYPE, 100 * MIB));
    await socket.write(FILE_HEAD);
    for (let i = 0; i < HOLD_MS / 1_000 && !socket.isAnswered(); i += 1) {
      await socket.write('x');
      await socket.hold(1_000);
    }
  },

  async 'a file without end'(socket, turn) {
    const piece = Buffer.alloc(256 * 1_024, turn);
    await socket.write(head('POST', pick(FORM_PATHS, turn), FORM_TYPE, 900 * MIB));
    await socket.write(FILE_HEAD);
    for (let sentBytes = 0; sentBytes < 90 * MIB && !socket.isAnswered(); sentBytes += piece.length)
      await socket.write(piece);
    await socket.hold(HOLD_MS);
  },

  async 'slow headers'(socket) {
    await socket.write('POST /api/stt HTTP/1.1\r\nHost: localhost\r\n');
    for (let i = 0; i < HOLD_MS / 1_000 && !socket.isAnswered(); i += 1) {
      await socket.write(`X-${i}: y\r\n`);
      await socket.hold(1_000);
    }
  },

  async silence(socket) {
    await socket.hold(HOLD_MS);
  },

  async 'guessed keys from forged addresses'(socket, turn) {
    for (let i = 0; i < 200; i += 1) {
      const address = `203.0.${turn % 256}.${i}`;
      await socket.write(
        `GET /api/usage HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: guess-${turn}-${i}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      );
      await socket.hold(5);
    }
  },
};

const FILE_HEAD = '--b\r\nContent-Disposition: form-data; name="data"; filename="a.wav"\r\n\r\nRIFF';
const JSON_PART = 'Content-Type: application/json\r\n';

function head(method: string, path: string, type: string, length: number): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}

function field(name: string, value: string, headers: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${value}\r\n`;
}

async function sendWhole(socket: HostileSocket, path: string, body: string): Promise<void> {
  await socket.write(head('POST', path, 'application/json', body.length) + body);
  await socket.hold(HOLD_MS);
}

function pick<Value>(values: readonly Value[], turn: number): Value {
  return values[turn % values.length]!;
}
