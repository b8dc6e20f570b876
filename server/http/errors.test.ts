import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError, ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import { send, sendRaw, withKey } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';
import { errorBody, logError } from './errors.ts';

test('docs/errors.md and the catalogue list the same errors', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const entries = [...page.matchAll(/^- `(\w+)` \((\d+), `(\w+)`(, retry)?\): /gm)];
  const documented = entries.map(([, code, status, type, retryable]) => ({
    code,
    status: Number(status),
    type,
    retryable: retryable !== undefined,
  }));
  const thrown = Object.entries(ERROR_CATALOGUE).map(([code, { status, type, retryable }]) => ({
    code,
    status,
    type,
    retryable,
  }));
  expect(documented).toEqual(thrown);
});

test('every answer has a request id: the client’s when it is valid, else a UUID', async () => {
  await using server = await startTestServer();
  const ask = async (id: string) =>
    (await send(`${server.baseUrl}/health`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  expect(await ask('trace-1.a_B')).toBe('trace-1.a_B');
  for (const id of ['', 'a b', 'a'.repeat(129), '<script>', 'a,b', '"'])
    expect(await ask(id)).toMatch(/^[0-9a-f-]{36}$/);
  const missing = await send(`${server.baseUrl}/nowhere`, { headers: { 'x-request-id': 'mine' } });
  expect(missing.body['request_id']).toBe('mine');
  expect(missing.headers.get('x-request-id')).toBe('mine');
});

test('an unknown URL is 404, a wrong method 405 with Allow, both with the error body', async () => {
  await using server = await startTestServer();
  const ask = async (method: string, path: string) => {
    const { status, headers, body } = await send(server.baseUrl + path, { method, ...withKey(server.ownerKey) });
    return [status, headers.get('allow'), String(body['error']?.['code'])];
  };
  expect(await ask('GET', '/nowhere')).toEqual([404, null, 'not_found']);
  expect(await ask('POST', '/api/stt/more')).toEqual([404, null, 'not_found']);
  expect(await ask('GET', '/api/stt')).toEqual([405, 'POST', 'method_not_allowed']);
  expect(await ask('GET', '/api/stt/?x=1')).toEqual([405, 'POST', 'method_not_allowed']);
  expect(await ask('PUT', '/')).toEqual([405, 'GET, HEAD, POST', 'method_not_allowed']);
  expect(await ask('POST', '/api/speech-to-text/get-result')).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  expect(await ask('POST', '/api/speech-to-text/some')).toEqual([
    405,
    'DELETE, GET, HEAD, PATCH',
    'method_not_allowed',
  ]);
  for (const method of ['QUERY', 'PROPFIND', 'OPTIONS', 'PUT']) {
    expect(await ask(method, '/api/usage')).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
    expect(await ask(method, '/api/voices/check')).toEqual([405, 'POST', 'method_not_allowed']);
    expect(await ask(method, '/api/speech-to-text/x.srt')).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
    expect(await ask(method, '/nowhere')).toEqual([404, null, 'not_found']);
  }
  expect(await ask('PUT', '/api/admin/accounts/some')).toEqual([405, 'DELETE, PATCH', 'method_not_allowed']);
});

test('malformed HTTP and malformed URLs get the same error body', async () => {
  await using server = await startTestServer();
  const body = /^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: [^]*"code":"invalid_request"/i;
  expect(await sendRaw(server.port, 'hello\r\n\r\n')).toMatch(body);
  expect(await sendRaw(server.port, 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(body);
  expect(await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`)).toMatch(body);
});

test('an internal failure reveals no details', async () => {
  await using server = await startTestServer();
  await server.loseDatabase();
  const answer = await send(`${server.baseUrl}/api/usage`, withKey(server.ownerKey));
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error', type: 'server_error' } } });
  expect(JSON.stringify(answer.body)).not.toMatch(/sql|database|stack|\.ts|node_modules/i);
  expect((await send(`${server.baseUrl}/health`)).status).toBe(503);
});

/** Log lines of an error above level debug. */
function toldOf(error: AppError): unknown[] {
  const lines: unknown[] = [];
  const log = pino(
    { level: 'info', base: null, timestamp: false },
    new Writable({
      write(line: Buffer, _, done) {
        lines.push(JSON.parse(line.toString()));
        done();
      },
    }),
  );
  logError(error, { id: 'an-id', log });
  return lines;
}

const warned = (code: string, reason: string) => [
  { level: 40, requestId: 'an-id', code, reason, msg: 'request not served' },
];

test('a failure that is answered with 200 is logged with its cause in one line', () => {
  const unset = new AppError('engine_unavailable', 'Set LLM_BASE_URL for summaries in Korean.');
  expect(toldOf(new AppError('summary_failed', undefined, { cause: unset }))).toEqual(
    warned('summary_failed', 'Set LLM_BASE_URL for summaries in Korean.'),
  );
  const refused = new TypeError('fetch failed', { cause: new Error('connect\nECONNREFUSED') });
  const unreached = new AppError('service_unavailable', 'The platform cannot be reached.', { cause: refused });
  expect(toldOf(new AppError('caption_tracks_failed', undefined, { cause: unreached }))).toEqual(
    warned('caption_tracks_failed', 'The platform cannot be reached.: fetch failed: connect ECONNREFUSED'),
  );
  expect(toldOf(new AppError('transcript_download_failed', undefined, { cause: 'an empty body' }))).toEqual(
    warned('transcript_download_failed', 'an empty body'),
  );
  expect(toldOf(new AppError('summary_failed'))).toEqual(warned('summary_failed', 'unknown'));
});

test('a logged cause contains no user content and has a maximum length', () => {
  let broken: unknown;
  try {
    JSON.parse('text of a user');
  } catch (thrown) {
    broken = new AppError('engine_failed', 'x'.repeat(5_000), { cause: thrown });
  }
  const line = JSON.stringify(toldOf(new AppError('summary_failed', undefined, { cause: broken })));
  expect(line).toContain('SyntaxError');
  expect(line).not.toContain('person');
  expect(line.length).toBeLessThan(800);
});

test('a circular cause is logged', () => {
  const round = new Error('round');
  round.cause = round;
  expect(toldOf(new AppError('summary_failed', undefined, { cause: round }))).toMatchObject([{ reason: 'round' }]);
});

test('errors of the client are not logged above level debug', () => {
  for (const code of ['invalid_video_link', 'no_subtitles', 'empty_transcript', 'video_quota_exceeded'] as const) {
    expect([code, toldOf(new AppError(code))]).toEqual([code, []]);
  }
});

test('the answer of a video says why where the cause is for users', () => {
  const message = 'Failed to fetch caption tracks';
  const offline = new AppError('service_unavailable', 'This server cannot reach the video platform.');
  const [told, kept] = [offline, 'ANDROID: captcha'].map((cause) =>
    errorBody(new AppError('caption_tracks_failed', undefined, { cause }), 'an-id'),
  );
  expect(told).toMatchObject({
    message,
    error: { message: 'Failed to fetch caption tracks: This server cannot reach the video platform.' },
  });
  expect(kept).toMatchObject({ message, error: { message } });
});
