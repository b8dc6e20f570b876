import { createHash, pbkdf2, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collectGarbage } from '@jyutsing/system/collect-garbage';
import { form, send, sendRaw, wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { saveStream } from './save-upload.ts';

const MAX_UPLOAD_BYTES = 3 * 1024 ** 2;
const AUDIO = wav(1);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ maxUploadBytes: MAX_UPLOAD_BYTES });
});
afterAll(() => server[Symbol.asyncDispose]());
// oxlint-disable vitest/no-standalone-expect -- no test may leave a file behind
afterEach(async () => {
  await expect.poll(() => server.incoming()).toEqual([]);
});
// oxlint-enable vitest/no-standalone-expect

const post = (...parts: Parameters<typeof form>) => send(`${server.baseUrl}/api/stt`, form(...parts));
const refusal = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, String(body['error']?.['code'])];

/** Raw request bytes, for bodies that no client library would send. */
function rawPost(body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const all = {
    host: 'localhost',
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST /api/stt HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
}
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE_HEAD = '--b\r\nContent-Disposition: form-data; name="data"; filename="a.wav"\r\n\r\n';

test('the key may come after the file, and other files and fields are ignored', async () => {
  const answer = await post(
    ['picture', randomBytes(200_000)],
    ['colour', 'blue'],
    ['data', AUDIO],
    ['other', new Uint8Array(10)],
    ['api_key', server.ownerKey],
    ['colour', 'red'],
  );
  expect(answer.status).toBe(200);
  const record = await server.store.transcriptions.find(String(answer.body['data']!['request_id']));
  expect(record).toMatchObject({
    sizeBytes: AUDIO.length,
    contentSha256: createHash('sha256').update(AUDIO).digest('hex'),
    durationMs: 1_000,
  });
});

test.each([
  ['no file', [['api_key', 'KEY']], 400, 'missing_file'],
  [
    'a file under another name',
    [
      ['api_key', 'KEY'],
      ['file', AUDIO],
    ],
    400,
    'missing_file',
  ],
  [
    'the audio as text',
    [
      ['api_key', 'KEY'],
      ['data', 'RIFF'],
    ],
    400,
    'missing_file',
  ],
  [
    'an empty file',
    [
      ['api_key', 'KEY'],
      ['data', new Uint8Array(0)],
    ],
    422,
    'empty_audio',
  ],
  [
    'a text file',
    [
      ['api_key', 'KEY'],
      ['data', Buffer.from('not audio at all')],
    ],
    415,
    'unsupported_audio_format',
  ],
  [
    'half the header of a wav',
    [
      ['api_key', 'KEY'],
      ['data', AUDIO.slice(0, 30)],
    ],
    422,
    'corrupt_audio',
  ],
  [
    'two keys',
    [
      ['api_key', 'KEY'],
      ['api_key', 'other'],
      ['data', AUDIO],
    ],
    400,
    'invalid_request',
  ],
  [
    'two keys around the file',
    [
      ['api_key', 'KEY'],
      ['data', AUDIO],
      ['api_key', 'other'],
    ],
    400,
    'invalid_request',
  ],
  [
    'a huge key',
    [
      ['api_key', 'x'.repeat(500_000)],
      ['data', AUDIO],
    ],
    401,
    'invalid_api_key',
  ],
  [
    'a reserved name',
    [
      ['api_key', 'KEY'],
      ['__proto__', 'x'],
      ['data', AUDIO],
    ],
    400,
    'invalid_request',
  ],
] as [string, [string, string | Uint8Array<ArrayBuffer>][], number, string][])(
  '%s is refused',
  async (_name, parts, status, code) => {
    const withKey = parts.map(([name, value]): (typeof parts)[number] => [
      name,
      value === 'KEY' ? server.ownerKey : value,
    ]);
    expect(refusal(await post(...withKey))).toEqual([status, code]);
  },
);

test('the same key twice is accepted', async () => {
  const key: [string, string] = ['api_key', server.ownerKey];
  expect((await post(key, key, ['data', AUDIO])).status).toBe(200);
});

const jsonField = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${value}\r\n`;

test('a field that is declared as JSON is a text like any other, and ignored when it is unknown', async () => {
  const unknown = jsonField('x', '{') + jsonField('list', '[{"a": 1}]');
  const answer = (fields: string) => sendRaw(server.port, rawPost(`${fields}--b--\r\n`));
  expect(await answer(jsonField('api_key', server.ownerKey) + unknown)).toMatch(/^HTTP\/1\.1 400 [^]*"missing_file"/);
  expect(await answer(jsonField('api_key', 'wrong') + unknown)).toMatch(/^HTTP\/1\.1 401 /);
});

test('a second file is refused where a form takes one, but not the empty one of a browser', async () => {
  const url = `${server.baseUrl}/v1/audio/transcriptions`;
  const one = { headers: { authorization: `Bearer ${server.ownerKey}` }, method: 'POST' };
  const answerTo = (...parts: Parameters<typeof form>) => send(url, { ...form(...parts), ...one });
  const model: [string, string] = ['model', 'whisper-1'];
  const answer = await answerTo(model, ['file', AUDIO], ['file', AUDIO]);
  expect(answer.status).toBe(400);
  expect(answer.body['error']?.['message']).toBe('This form takes one file; send the others separately.');
  const body = new FormData();
  body.append('model', 'whisper-1');
  body.append('file', new Blob([AUDIO]), 'a.wav');
  body.append('file', new Blob([]), '');
  expect((await send(url, { ...one, body })).status).toBe(200);
});

test('10,000 fields are refused without being stored', async () => {
  const fields = Array.from({ length: 10_000 }, (_, index) => field(`field${index}`, 'x')).join('');
  const answer = await sendRaw(server.port, rawPost(`${field('api_key', server.ownerKey)}${fields}--b--\r\n`));
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*invalid_request/);
});

test.each([
  ['no boundary', rawPost('x', { 'content-type': 'multipart/form-data' })],
  ['not a form at all', rawPost('what is this')],
  ['no closing boundary', rawPost(field('api_key', 'k'))],
  ['a file that stops in the middle', rawPost(`${FILE_HEAD}RIFF`)],
])('%s is 400', async (_name, bytes) => {
  expect(await sendRaw(server.port, bytes)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"invalid_request"/);
});

test('an empty form or a missing body is refused for its key first, then for its file', async () => {
  const url = `${server.baseUrl}/api/stt`;
  const headers = { 'x-api-key': server.ownerKey };
  expect(refusal(await send(url, { method: 'POST' }))).toEqual([401, 'missing_api_key']);
  expect(refusal(await send(url, { method: 'POST', headers }))).toEqual([400, 'missing_file']);
  const boundary = { 'content-type': 'multipart/form-data; boundary=b' };
  expect(refusal(await send(url, { method: 'POST', headers: boundary }))).toEqual([401, 'missing_api_key']);
  expect(refusal(await send(url, { method: 'POST', headers: { ...headers, ...boundary } }))).toEqual([
    400,
    'missing_file',
  ]);
});

test.each(['application/json', 'application/x-www-form-urlencoded', 'audio/wav', 'text/plain'])(
  'a body of the type %s with a valid key is 415',
  async (type) => {
    const call = (headers: Record<string, string>) =>
      send(`${server.baseUrl}/api/stt`, { method: 'POST', body: '{}', headers: { 'content-type': type, ...headers } });
    expect(refusal(await call({}))).toEqual([401, 'missing_api_key']);
    expect(refusal(await call({ 'x-api-key': server.ownerKey }))).toEqual([415, 'unsupported_media_type']);
  },
);

test('a file of exactly the limit is accepted, one byte more is 413', async () => {
  const key: [string, string] = ['api_key', server.ownerKey];
  const exact = wav((MAX_UPLOAD_BYTES - 44) / 32_000);
  expect(exact).toHaveLength(MAX_UPLOAD_BYTES);
  expect((await post(key, ['data', exact])).status).toBe(200);
  expect(refusal(await post(key, ['data', new Uint8Array([...exact, 0])]))).toEqual([413, 'payload_too_large']);
});

test.each([
  { announced: true, connection: 'keep-alive' },
  { announced: true, connection: 'close' },
  { announced: false, connection: 'keep-alive' },
  { announced: false, connection: 'close' },
])(
  'a client that continues to send still receives the 413 ($connection, length announced: $announced)',
  async (kind) => {
    const piece = Buffer.alloc(256 * 1024);
    const { connection } = kind;
    const head = kind.announced
      ? rawPost('', { 'content-length': String(200 * 1024 ** 2), connection })
      : Buffer.from(rawPost('', { connection }).toString().replace('content-length: 0', 'transfer-encoding: chunked'));
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    let broken: unknown = null;
    socket.on('error', (error) => (broken = error));
    await once(socket, 'connect');
    const write = (bytes: Buffer) => socket.write(kind.announced ? bytes : chunked(bytes));
    socket.write(head);
    write(Buffer.from(field('api_key', server.ownerKey) + FILE_HEAD));
    // Like clients that send the whole body first, read the answer only long after the refusal.
    for (let parts = 0; parts < 60; parts += 1) {
      if (!write(piece)) await Promise.race([once(socket, 'drain'), sleep(2_000)]);
    }
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 [^]*payload_too_large/);
    expect(broken).toBeNull();
    socket.destroy();
  },
);

const bytesOfFile = (count: number) => Buffer.concat([Buffer.from(FILE_HEAD), Buffer.alloc(count)]);

const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

test('an invalid key before the file is refused before the file has arrived', async () => {
  const refused = /^HTTP\/1\.1 401 [^]*invalid_api_key/;
  const inField = Buffer.concat([Buffer.from(field('api_key', 'bad')), bytesOfFile(100)]);
  expect(await sendRaw(server.port, rawPost(inField, { 'content-length': '3000000' }))).toMatch(refused);
  const inHeader = { 'content-length': '3000000', 'x-api-key': 'bad' };
  expect(await sendRaw(server.port, rawPost(bytesOfFile(2 * 1024 ** 2), inHeader))).toMatch(refused);
});

test('the field precedes the header, even when it comes after the file', async () => {
  const url = `${server.baseUrl}/api/stt`;
  const call = (header: string, key: string) =>
    send(url, { ...form(['data', AUDIO], ['api_key', key]), headers: { 'x-api-key': header } });
  expect((await call('bad', server.ownerKey)).status).toBe(200);
  expect(refusal(await call(server.ownerKey, 'bad'))).toEqual([401, 'invalid_api_key']);
});

test('uploads before a verified key share a limit on disk space, which does not affect clients that send the key first', async () => {
  const anonymous = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      const answer = { text: '' };
      socket.setEncoding('utf8').on('data', (text: string) => (answer.text += text));
      socket.on('error', () => {});
      await once(socket, 'connect');
      // Each is an almost complete file of the maximum size; four of them reach the limit.
      socket.write(
        rawPost(bytesOfFile(MAX_UPLOAD_BYTES - 1_000), { 'content-length': String(MAX_UPLOAD_BYTES + 500) }),
      );
      return { socket, answer };
    }),
  );
  const refused = () => anonymous.filter(({ answer }) => answer.text.startsWith('HTTP/1.1 503'));
  await expect.poll(refused).toHaveLength(1);
  expect(refused()[0]?.answer.text).toContain('send \\"api_key\\" before the file');
  expect((await post(['api_key', server.ownerKey], ['data', AUDIO])).status).toBe(200);
  for (const { socket } of anonymous) socket.destroy();
  await expect.poll(() => server.incoming()).toEqual([]);
  expect((await post(['data', AUDIO], ['api_key', server.ownerKey])).status).toBe(200);
});

test('saving fails only when the file exists, so that it can be deleted then', async () => {
  // Keeps the threads that open files busy.
  for (let task = 0; task < 16; task += 1) pbkdf2('a', 'b', 50_000, 64, 'sha512', () => {});
  const path = join(tmpdir(), `saved-${randomBytes(8).toString('hex')}`);
  const left = new AbortController();
  const source = new PassThrough();
  source.write('sound');
  const saved = saveStream(source, { path, name: '', sizeBytes: 0, sha256: '' }, () => {}, left.signal);
  setImmediate(() => left.abort());
  await expect(saved).rejects.toThrow('aborted');
  expect(existsSync(path)).toBe(true);
  await rm(path);
});

test('a disconnect during the upload leaves no file behind', async () => {
  const body = Buffer.concat([Buffer.from(field('api_key', server.ownerKey) + FILE_HEAD), randomBytes(1024 ** 2)]);
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(rawPost(body, { 'content-length': '2900000' }));
  await expect.poll(() => server.incoming()).toHaveLength(1);
  socket.resetAndDestroy();
  await expect.poll(() => server.incoming()).toEqual([]);
});

test('nothing of a form stays in memory after its answer, and after its connection', async () => {
  const context = 'x'.repeat(60_000);
  const fields = Array.from({ length: 3 }, (_, index) => field('context', `${index}${context}`)).join('');
  const whole = `${fields}${field('api_key', 'k')}${FILE_HEAD}x\r\n--b--\r\n`;
  const sendForms = async () => {
    for (let round = 0; round < 50; round += 1) {
      // Complete and refused, then refused with its end still to come, and broken off.
      await sendRaw(server.port, rawPost(whole));
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.write(rawPost(fields, { 'content-length': '9000000' }));
      await once(socket, 'data');
      socket.destroy();
    }
    await sleep(50);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await sendForms();
  const grown = (await sendForms()) - before;
  // One hundred forms of 180 KB.
  expect(grown).toBeLessThan(4 * 1024 ** 2);
});
