import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { json, send, type Answer } from '#testbed/clients/requests.ts';
import { FAILURES } from '#test/http/speak.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos, ID, resetTestVideos } from '#test/http/video-summary.ts';

const videos = createTestVideos();
let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer({ videoSummarizer: videos });
});
beforeEach(async () => {
  resetTestVideos(videos);
  account = await server.newAccount('pro');
});
afterEach(() => void (server.state.speechIsHeld = false));
afterAll(() => server[Symbol.asyncDispose]());

const post = (path: string, body: object, idempotencyKey = 'the key', signal?: AbortSignal): Promise<Answer> => {
  const { headers, ...init } = json('POST', body, account.key);
  const requestHeaders = { ...(headers as Record<string, string>), 'idempotency-key': idempotencyKey };
  return send(server.baseUrl + path, { ...init, headers: requestHeaders, ...(signal && { signal }) });
};
/** Sends a request again once the one before is settled, which happens after its answer. */
async function repeat(path: string, body: object): Promise<Answer> {
  let answer: Answer | undefined;
  await expect.poll(async () => (answer = await post(path, body)).status).not.toBe(409);
  return answer!;
}
const SPEECH = { text: '早晨呀', voice_id: 'jasmine' };
const OPENAI = { model: 'auto', voice: 'alloy', input: '早晨呀' };
const used = async () => {
  const { tts_characters, video_summaries } = await server.store.quotas.used(account.id);
  return tts_characters + video_summaries;
};
const chargeOf = ({ headers }: Answer) => headers.get('x-characters-charged');
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

describe.each([
  ['/api/tts', SPEECH, 3],
  ['/api/tts-stream', SPEECH, 12],
  ['/v1/audio/speech', OPENAI, 3],
])('%s with an Idempotency-Key', (path, body, cost) => {
  it('is charged once, however often it is repeated', async () => {
    const answers = [await post(path, body), await repeat(path, body), await repeat(path, body)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(chargeOf)).toEqual([String(cost), '0', '0']);
    expect(await used()).toBe(cost);
  });

  it('is charged once when two arrive at once: the second one is told to wait', async () => {
    server.state.speechIsHeld = true;
    const first = post(path, body);
    await expect.poll(used).toBe(cost);
    const second = await post(path, body);
    expect(codeOf(second)).toEqual([409, 'request_in_progress']);
    expect(second.headers.get('retry-after')).toBe('1');
    server.state.speechIsHeld = false;
    expect((await first).status).toBe(200);
    expect(chargeOf(await repeat(path, body))).toBe('0');
    expect(await used()).toBe(cost);
  });

  it('is free for another attempt when it failed', async () => {
    const failing = { ...body, ...('input' in body ? { input: FAILURES.atOnce } : { text: FAILURES.atOnce }) };
    expect((await post(path, failing)).status).toBeGreaterThanOrEqual(500);
    expect(await used()).toBe(0);
    expect(chargeOf(await post(path, body))).toBe(String(cost));
  });
});

test('20 at once are charged once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/api/tts', SPEECH)));
  expect(answers.filter((answer) => chargeOf(answer) === '3')).toHaveLength(1);
  const uncharged = answers.filter((answer) => chargeOf(answer) !== '3');
  expect(uncharged.filter((answer) => chargeOf(answer) !== '0' && codeOf(answer)[1] !== 'request_in_progress')).toEqual(
    [],
  );
  expect(await used()).toBe(3);
});

test('a client that left has paid, and gets its speech with the same key', async () => {
  server.state.speechIsHeld = true;
  const leave = new AbortController();
  const first = post('/api/tts', SPEECH, 'the key', leave.signal).catch(() => null);
  await expect.poll(used).toBe(3);
  leave.abort();
  expect(await first).toBeNull();
  server.state.speechIsHeld = false;
  await expect.poll(async () => (await post('/api/tts', SPEECH)).status).toBe(200);
  expect(await used()).toBe(3);
});

test('another request with the same key is refused, and so is a key that is none', async () => {
  await post('/api/tts', SPEECH);
  expect(codeOf(await post('/api/tts', { ...SPEECH, text: '再見' }))).toEqual([422, 'invalid_parameter']);
  expect(codeOf(await post('/api/tts-stream', SPEECH))).toEqual([422, 'invalid_parameter']);
  expect(codeOf(await post('/api/tts', SPEECH, 'x'.repeat(256)))).toEqual([400, 'invalid_request']);
  expect(await used()).toBe(3);
});

test('other paths of a route and a key in the body are the same request; another account is not', async () => {
  await post('/api/tts', SPEECH);
  expect(chargeOf(await repeat('/v1/tts', { api_key: account.key, ...SPEECH }))).toBe('0');
  account = await server.newAccount('pro');
  expect(chargeOf(await post('/api/tts', SPEECH))).toBe('3');
});

test('a request that the quota refused leaves its key free', async () => {
  account = await server.newAccount('talkative');
  const tooLong = { ...SPEECH, text: '好'.repeat(401) };
  expect(codeOf(await post('/api/tts', tooLong))).toEqual([429, 'quota_exceeded']);
  expect(codeOf(await post('/api/tts', tooLong))).toEqual([429, 'quota_exceeded']);
  expect(chargeOf(await post('/api/tts', SPEECH))).toBe('3');
});

const summarize = (signal?: AbortSignal) =>
  post('/api/video-summary/summarize-from-url', { url: ID }, 'the key', signal);

describe('a summary with an Idempotency-Key', () => {
  it('costs one credit, however often it is repeated', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answer = await repeat('/api/video-summary/summarize-from-url', { url: ID });
      expect(answer.body).toMatchObject({ success: true });
    }
    expect(await used()).toBe(1);
  });

  it('costs one credit when the first answer did not arrive', async () => {
    videos.until = new Promise(() => {});
    const leave = new AbortController();
    const first = summarize(leave.signal).catch(() => null);
    await expect.poll(videos.waiting).toBe(1);
    expect(codeOf(await summarize())).toEqual([409, 'request_in_progress']);
    leave.abort();
    expect(await first).toBeNull();
    videos.until = Promise.resolve();
    await expect.poll(async () => (await summarize()).status).toBe(200);
    await expect.poll(used).toBe(1);
  });
});
