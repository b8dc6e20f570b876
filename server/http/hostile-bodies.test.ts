import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { form, json, send, wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { refusedBytes } from './throttle.ts';

const KIB = 1_024;
/** Fast enough for a test; a body that stops must end within one interval. */
const QUICK_PACE = { intervalMs: 1_000, minBytesPerSecond: 300, wholeMs: 60_000 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ bodyPace: QUICK_PACE, headersMs: 2_000 });
});
afterAll(() => server[Symbol.asyncDispose]());
// oxlint-disable vitest/no-standalone-expect -- no test may leave a file behind
afterEach(async () => {
  await expect.poll(() => server.incoming()).toEqual([]);
});
// oxlint-enable vitest/no-standalone-expect

const refusal = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, String(body['error']?.['code'])];
const FORM_PATHS = [
  '/api/stt',
  '/',
  '/speech-to-text',
  '/v1/audio/transcriptions',
  '/api/score-pronunciation',
  '/api/voices',
  '/api/corpora',
];
const JSON_PATHS = [
  '/api/tts-stream',
  '/api/tts',
  '/v1/audio/speech',
  '/api/video-summary/summarize-from-url',
  '/api/video-summary/list-languages',
  '/api/corpora',
  '/api/admin/accounts',
];

function head(path: string, type: string, length: number, more = ''): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;
}
const FORM_TYPE = 'multipart/form-data; boundary=b';
const field = (name: string, value: string, type = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n${value}\r\n`;
const FILE = '--b\r\nContent-Disposition: form-data; name="data"; filename="a.wav"\r\n\r\nRIFF';

/** Sends the beginning of a request, and returns the whole answer. */
async function sendPart(bytes: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  let received = '';
  const answered = Promise.withResolvers<string>();
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    if (/\r\n\r\n\{[^]*\}$/.test(received)) answered.resolve(received);
  });
  socket.once('close', () => answered.resolve(received));
  socket.write(bytes);
  await answered.promise;
  socket.destroy();
  return received;
}

/** Sends the beginning of a request; returns the number of bytes received until it is closed. */
async function bytesUntilClosed(bytes: string): Promise<number> {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  socket.resume();
  await once(socket, 'close');
  return socket.bytesRead;
}

function post(path: string, type: string, body: string) {
  return send(server.baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body });
}

describe('a form without a key', () => {
  test.each(FORM_PATHS)('%s reads little of a known field that is declared as JSON', async (path) => {
    const body = field('api_key', `[${'{},'.repeat(100_000)}{}]`, 'application/json');
    const answer = await sendPart(head(path, FORM_TYPE, 50 * KIB ** 2) + body + field('x', 'x'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*256 KiB/);
  });

  test.each(FORM_PATHS)('%s refuses a form of more than 40 parts', async (path) => {
    const body = Array.from({ length: 41 }, (_, i) => field(`f${i}`, 'x')).join('');
    expect(await sendPart(`${head(path, FORM_TYPE, body.length + 7)}${body}--b--\r\n`)).toMatch(
      /^HTTP\/1\.1 400 [^]*too many/,
    );
  });

  test.each([
    ['different', ['context', 'corpus_ids', 'lang', 'with_timestamp', 'skip_fusion']],
    ['the same', Array.from({ length: 5 }, () => 'context')],
  ])('known fields of more than 256 KiB together are refused: %s', async (_name, names) => {
    const body = names.map((name) => field(name, 'x'.repeat(60 * KIB))).join('');
    expect(await sendPart(`${head('/api/stt', FORM_TYPE, body.length + 7)}${body}--b--\r\n`)).toMatch(
      /^HTTP\/1\.1 413 [^]*"code":"payload_too_large"[^]*256 KiB/,
    );
  });
});

test('unknown fields of any length are discarded, declared as a file or not', async () => {
  const parts: Parameters<typeof form> = Array.from({ length: 30 }, (_, i) => [`f${i}`, 'x'.repeat(300 * KIB)]);
  const answer = await send(
    `${server.baseUrl}/api/stt`,
    form(...parts, ['data', wav(1)], ['api_key', server.ownerKey]),
  );
  expect(answer.status).toBe(200);
});

describe('bytes of a form that nobody keeps', () => {
  const MIB = 1_024 * KIB;
  const UNKNOWN_FILE = FILE.replace('"data"', '"picture"');
  const start = (bytes: string) => sendPart(head('/api/stt', FORM_TYPE, 100 * MIB) + bytes);

  test.each([
    ['a known field', '--b\r\nContent-Disposition: form-data; name="context"\r\n\r\n'],
    ['no part at all', ''],
  ])('%s without end is refused after 2 MiB', async (_name, first) => {
    expect(await start(first + 'x'.repeat(3 * MIB))).toMatch(
      /^HTTP\/1\.1 413 [^]*"code":"payload_too_large"[^]*256 KiB/,
    );
  });

  test.each([
    ['an unknown field', '--b\r\nContent-Disposition: form-data; name="colour"\r\n\r\n'],
    ['a file of an unknown field', UNKNOWN_FILE],
  ])('%s without end is read at a limited speed and refused after 16 MiB', async (_name, first) => {
    using take = vi.spyOn(refusedBytes, 'take');
    expect(await start(first + 'x'.repeat(17 * MIB))).toMatch(
      /^HTTP\/1\.1 413 [^]*"code":"payload_too_large"[^]*16 MiB/,
    );
    const throttledBytes = take.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    expect(throttledBytes).toBeGreaterThan(15 * MIB);
  });
});

describe('JSON without a key', () => {
  test.each([...JSON_PATHS, '/api/stt', '/api/score-pronunciation'])(
    '%s is refused after its first 64 KiB',
    async (path) => {
      const start = `{"text":"${'x'.repeat(80 * KIB)}`;
      expect(await sendPart(head(path, 'application/json', 900_000) + start)).toMatch(
        /^HTTP\/1\.1 401 [^]*"code":"missing_api_key"/,
      );
      const withKey = `{"api_key":"jyut_wrong",${start.slice(1)}`;
      expect(await sendPart(head(path, 'application/json', 900_000) + withKey)).toMatch(
        /^HTTP\/1\.1 401 [^]*"code":"invalid_api_key"/,
      );
    },
  );

  test('a bad key in the header is refused before the body where the header decides', async () => {
    const bad = 'X-Api-Key: jyut_wrong\r\n';
    for (const path of ['/api/video-summary/summarize-from-url', '/api/admin/accounts']) {
      expect(await sendPart(head(path, 'application/json', 1_000, bad))).toMatch(
        /^HTTP\/1\.1 401 [^]*"code":"invalid_api_key"/,
      );
    }
  });

  test('an unknown URL is refused without its body', async () => {
    expect(await sendPart(head('/nowhere', 'application/json', 900_000))).toMatch(/^HTTP\/1\.1 404 /);
  });
});

test('a body of more than 64 KiB is accepted with the key in its first field or in a header', async () => {
  const transcript = '好'.repeat(40_000);
  const url = `${server.baseUrl}/api/video-summary/summarize-from-url`;
  const fields = { url: 'dQw4w9WgXcQ', transcript };
  // The test server summarizes nothing: this is its answer to every accepted request.
  const accepted = { status: 200, body: { message: 'Failed to fetch caption tracks' } };
  expect(await send(url, json('POST', { api_key: server.ownerKey, ...fields }))).toMatchObject(accepted);
  expect(await send(url, json('POST', fields, server.ownerKey))).toMatchObject(accepted);
  const last = await send(url, json('POST', { ...fields, api_key: server.ownerKey }));
  expect(refusal(last)).toEqual([401, 'missing_api_key']);
  expect(String(last.body['message'])).toContain('first field "api_key"');
});

test.each(JSON_PATHS)('%s refuses deep and wide JSON', async (path) => {
  for (const [value, message] of [
    ['['.repeat(70) + ']'.repeat(70), /64 levels deep/],
    [`[${'{},'.repeat(200_000)}{}]`, /more than \d+ values/],
  ] as const) {
    const body = `{"a":${value}}`;
    const headers = { 'content-type': 'application/json', 'x-api-key': server.ownerKey };
    const answer = await send(server.baseUrl + path, { method: 'POST', headers, body });
    expect(refusal(answer)).toEqual([400, 'invalid_request']);
    expect(String(answer.body['message'])).toMatch(message);
  }
});

describe('a body that never ends', () => {
  const bodies: [name: string, bytes: string][] = [
    ['half a JSON object', head('/api/tts', 'application/json', 5_000) + '{"api_key":'],
    ['half a field', head('/api/stt', FORM_TYPE, 5_000) + field('api_key', 'k').slice(0, -10)],
    ['half a form', head('/api/stt', FORM_TYPE, 5_000) + field('context', 'k')],
    ['half a file', head('/api/stt', FORM_TYPE, 5_000) + FILE],
    ['nothing', head('/api/stt', FORM_TYPE, 5_000)],
  ];
  // Sent at once: each waits for a limit of time.
  let answers: Promise<string>[];
  let cutOff: Promise<number>;
  beforeAll(() => {
    answers = bodies.map(([, bytes]) => sendPart(bytes));
    cutOff = bytesUntilClosed(`GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx`);
  });

  test.each(bodies.map(([name], index) => [name, index] as const))('%s is 408', async (_name, index) => {
    expect(await answers[index]).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  });

  test('half a file with a valid key in the header is 408', async () => {
    const key = `X-Api-Key: ${server.ownerKey}\r\n`;
    expect(await sendPart(head('/api/stt', FORM_TYPE, 5_000, key) + FILE)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('one byte after the other is 408, however long it continues', async () => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head('/api/stt', FORM_TYPE, 1_000_000) + FILE);
    const trickle = setInterval(() => socket.write('x'), 20);
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(trickle);
    socket.destroy();
  });

  test('an answered request whose body goes on is cut off', async () => {
    expect(await cutOff).toBeGreaterThan(0);
  });
});

describe('headers that never end', () => {
  test.each([
    ['half of them', 'POST /api/stt HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['none', ''],
  ])('%s: the connection is closed', async (_name, bytes) => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    await once(socket, 'close');
    expect(received).toMatch(/^(HTTP\/1\.1 408 [^]*"code":"request_timeout"[^]*)?$/);
  });
});

describe('a malformed body with a key in it', () => {
  test.each<[string, string, string, number, RegExp]>([
    ['/api/tts', 'application/json', '{"api_key": "KEY", "text": "早晨"', 400, /not valid JSON/],
    ['/api/tts', 'application/json', "{'api_key': 'KEY', 'text': '早晨'}", 400, /not valid JSON/],
    ['/api/tts', 'application/json', '[{"api_key": "KEY"}]', 400, /not a JSON object/],
    ['/api/tts', 'application/x-www-form-urlencoded', 'api_key=KEY&text=x', 415, /JSON object/],
    ['/api/video-summary/summarize-from-url', 'application/json', '{"api_key": "KEY", "url": }', 400, /not valid JSON/],
    ['/api/stt', 'application/x-www-form-urlencoded', 'api_key=KEY&data=x', 415, /multipart\/form-data/],
    ['/api/stt', 'application/json', '{"api_key": "KEY", "data": ', 415, /multipart\/form-data/],
    ['/api/score-pronunciation', 'application/json', '{"api_key": "KEY"', 415, /multipart\/form-data/],
    ['/api/corpora', 'application/json', '{"api_key": "KEY", "name": "x", }', 400, /not valid JSON/],
    ['/api/stt', 'multipart/form-data; boundary=c', field('api_key', 'KEY'), 400, /malformed/],
  ])('%s of %s: %s', async (path, type, body, status, message) => {
    const answer = await post(path, type, body.replace('KEY', server.ownerKey));
    expect([answer.status, String(answer.body['message'])]).toEqual([status, expect.stringMatching(message)]);
    expect(JSON.stringify(answer.body)).not.toContain(server.ownerKey);
  });

  test('which is unknown is refused for the key', async () => {
    const answer = await post('/api/tts', 'application/json', '{"api_key": "jyut_wrong", "text": "早晨"');
    expect(refusal(answer)).toEqual([401, 'invalid_api_key']);
  });
});
