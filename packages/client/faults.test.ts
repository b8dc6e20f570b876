import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFaultyProxy, type FaultyProxy } from '#test/client/faulty-proxy.ts';
import { wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { ConnectionError, Jyutsing, type JyutsingError, QuotaError, RateLimitError, TimeoutError } from './index.ts';

let server: TestServer;
let proxy: FaultyProxy;
let jyut: Jyutsing;
beforeAll(async () => {
  server = await startTestServer();
  proxy = await openFaultyProxy(server.baseUrl);
  jyut = new Jyutsing({ baseUrl: proxy.baseUrl, apiKey: server.ownerKey });
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => void (proxy.requests.length = 0));

const BUSY = { status: 429, headers: { 'retry-after': '0' } };
const DRAINING = { status: 503, headers: { 'retry-after': '0' } };
const IN_PROGRESS = JSON.stringify({ error: { code: 'request_in_progress', type: 'invalid_request_error' } });
const failureOf = (promise: Promise<unknown>): Promise<JyutsingError> =>
  promise.then(
    () => expect.unreachable('it was answered'),
    (thrown) => thrown as JyutsingError,
  );
const count = async () => {
  let all = 0;
  for await (const _ of jyut.transcriptions.list()) all += 1;
  return all;
};
const charged = async (unit: string) => (await jyut.usage()).quotas[unit]!.used;

describe('a submission whose connection fails', () => {
  it.each([['cut-request'], ['lose-answer'], [BUSY], [DRAINING], [{ cutAfterBytes: 0 }]] as const)(
    'is sent again, and is accepted and charged once: %o',
    async (fault) => {
      const [before, charge] = [await count(), await charged('stt_seconds')];
      proxy.fail(/POST \/api\/stt/, fault);
      const job = await jyut.transcribe(wav(3));
      expect((await job.wait()).text).toBe('早晨 你好媽');
      expect([(await count()) - before, (await charged('stt_seconds')) - charge]).toEqual([1, 3]);
      const submissions = proxy.requests.filter((request) => request === 'POST /api/stt');
      expect(submissions).toHaveLength(2);
    },
  );

  it('is not sent again when its stream was already read', async () => {
    proxy.fail(/POST \/api\/stt/, 'cut-request');
    const failure = await failureOf(jyut.transcribe(new Blob([wav(1)]).stream()));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ code: 'connection_failed', status: null });
  });

  it('gives up after the repetitions that were allowed', async () => {
    proxy.fail(/POST \/api\/stt/, DRAINING, DRAINING, DRAINING);
    const failure = await failureOf(jyut.transcribe(wav(1), { maxRetries: 1 }));
    expect(failure).toMatchObject({ name: 'ServerError', status: 503, code: 'http_503', retryAfterSeconds: 0 });
    expect(proxy.requests).toEqual(['POST /api/stt', 'POST /api/stt']);
    proxy.fail(/never/);
    await jyut.health();
    await failureOf(jyut.transcribe(wav(1), { maxRetries: 0 }));
  });

  it('ends when its caller wants it to, and leaves no record', async () => {
    const before = await count();
    const stop = new AbortController();
    const onUploadProgress = () => stop.abort(new Error('the user left'));
    await expect(jyut.transcribe(wav(20), { signal: stop.signal, onUploadProgress })).rejects.toThrow('the user left');
    expect(await count()).toBe(before);
  });
});

describe('speech whose connection fails', () => {
  it('is made again when the server refused it, and charged once', async () => {
    const charge = await charged('tts_characters');
    proxy.fail(/POST \/api\/tts/, DRAINING, BUSY);
    expect((await jyut.speak('早晨').blob()).size).toBeGreaterThan(0);
    expect((await charged('tts_characters')) - charge).toBe(2);
  });

  it.each([['cut-request'], ['lose-answer'], [{ cutAfterBytes: 0 }]] as const)(
    'is made again when its answer was lost, and charged once: %o',
    async (fault) => {
      const charge = await charged('tts_characters');
      proxy.fail(/POST \/api\/tts/, fault);
      expect((await jyut.speak('早晨').blob()).size).toBeGreaterThan(0);
      expect((await charged('tts_characters')) - charge).toBe(2);
    },
  );

  it.each(['cut-request', 'lose-answer'] as const)('is streamed again, and charged once: %o', async (fault) => {
    const charge = await charged('tts_characters');
    proxy.fail(/POST \/api\/tts-stream/, fault);
    let bytes = 0;
    for await (const piece of jyut.speak('早晨')) bytes += piece.length;
    expect(bytes).toBeGreaterThan(0);
    expect((await charged('tts_characters')) - charge).toBe(8);
  });

  it('waits while the first attempt is running, of which only the answer was lost', async () => {
    proxy.fail(/POST \/api\/tts/, { status: 409, headers: { 'retry-after': '0' }, body: IN_PROGRESS });
    expect((await jyut.speak('早晨').blob()).size).toBeGreaterThan(0);
    expect(proxy.requests.filter((request) => request === 'POST /api/tts')).toHaveLength(2);
  });

  it('that breaks in the middle ends with an error, not as if it were complete', async () => {
    proxy.fail(/tts-stream/, { cutAfterBytes: 2_000 });
    let bytes = 0;
    const read = async () => {
      for await (const piece of jyut.speak('早晨，你好。')) bytes += piece.length;
    };
    const failure = await failureOf(read());
    expect(failure).toMatchObject({ name: 'ConnectionError', code: 'incomplete_answer', status: 200 });
    expect(failure.requestId).toBeTruthy();
    expect(bytes).toBe(2_000);
  });

  it('stops on the server when the reader stops', async () => {
    for await (const _ of jyut.speak('早晨，'.repeat(200))) break;
    await expect.poll(async () => (await jyut.usage()).concurrent.speech.in_use).toBe(0);
  });
});

describe('waiting for a transcription', () => {
  it('survives event streams that break, and answers that do not come', async () => {
    server.state.workIsHeld = true;
    const job = await jyut.transcribe(wav(2));
    proxy.fail(/\/events$/, { cutAfterBytes: 60 }, 'cut-request', DRAINING);
    proxy.fail(/GET \/api\/speech-to-text\/[^/]+$/, DRAINING);
    const waiting = job.wait({ pollInterval: 10 });
    await expect.poll(() => proxy.requests.filter((request) => request.endsWith('/events')).length).toBeGreaterThan(1);
    server.state.workIsHeld = false;
    expect((await waiting).text).toBe('早晨 你好媽');
  });

  it('polls where event streams are not let through', async () => {
    const job = await jyut.transcribe(wav(2));
    proxy.fail(/\/events$/, BUSY);
    expect((await job.wait({ pollInterval: 10 })).text).toBe('早晨 你好媽');
    expect(proxy.requests).toContain(`GET /api/speech-to-text/${job.id}`);
  });

  it('throws the failure of the transcription, and keeps its code', async () => {
    const job = await jyut.transcribe(wav(2), { context: 'FAIL' });
    await expect(job.wait()).rejects.toMatchObject({
      name: 'TranscriptionError',
      code: 'corrupt_audio',
      requestId: job.id,
    });
  });

  it('ends when its caller wants it to, and the work goes on', async () => {
    server.state.workIsHeld = true;
    const job = await jyut.transcribe(wav(2));
    const stop = new AbortController();
    const waiting = job.wait({ signal: stop.signal });
    await expect.poll(() => proxy.requests.some((request) => request.endsWith('/events'))).toBe(true);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    server.state.workIsHeld = false;
    expect((await job.wait()).text).toBe('早晨 你好媽');
  });
});

describe('other requests', () => {
  it('are sent again when they only read, until they are answered', async () => {
    proxy.fail(/voices/, 'cut-request', { status: 502 }, DRAINING);
    expect((await jyut.voices.list()).length).toBeGreaterThan(0);
    expect(proxy.requests).toHaveLength(4);
  });

  it('that make something are not sent again when their answer was lost', async () => {
    proxy.fail(/POST \/api\/corpora/, 'lose-answer');
    const failure = await failureOf(jyut.corpora.create({ name: 'once', tsv: '蝦餃' }));
    expect(failure).toBeInstanceOf(ConnectionError);
    const corpora = (await jyut.corpora.list()).filter(({ name }) => name === 'once');
    expect(corpora).toHaveLength(1);
  });

  it('wait for the seconds of Retry-After', async () => {
    proxy.fail(/voices/, { status: 429, headers: { 'retry-after': '1' } });
    const startedMs = performance.now();
    await jyut.voices.list();
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990);
  });

  it('leave a long wait to their caller', async () => {
    proxy.fail(/voices/, { status: 429, headers: { 'retry-after': '3600' } });
    const failure = await failureOf(jyut.voices.list());
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure.retryAfterSeconds).toBe(3_600);
    expect(proxy.requests).toHaveLength(1);
  });

  it('do not repeat what a used-up quota refuses', async () => {
    const { key } = await server.newAccount('small');
    const poor = new Jyutsing({ baseUrl: proxy.baseUrl, apiKey: key });
    const failure = await failureOf(poor.transcribe(wav(11)));
    expect(failure).toBeInstanceOf(QuotaError);
    expect(failure).toMatchObject({ code: 'quota_exceeded', status: 429 });
    expect(proxy.requests).toHaveLength(1);
  });

  it('end after a time in which nothing came', async () => {
    proxy.fail(/voices/, 'hang');
    const failure = await failureOf(jyut.voices.list({ timeout: 50, maxRetries: 0 }));
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure.message).toBe('Nothing was sent or received for 0.05 seconds.');
  });

  it('can be ended between two attempts', async () => {
    proxy.fail(/voices/, { status: 503, headers: { 'retry-after': '30' } });
    const stop = new AbortController();
    const listing = jyut.voices.list({ signal: stop.signal });
    await expect.poll(() => proxy.requests.length).toBe(1);
    await sleep(20);
    stop.abort();
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('say so when no server is there, and what a proxy answered in its place', async () => {
    const nowhere = new Jyutsing({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    await expect(nowhere.usage()).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'connection_failed',
      message: 'The server at http://127.0.0.1:9 cannot be reached.',
    });
    proxy.fail(/usage/, { status: 403, body: '<html>Forbidden</html>' });
    await expect(jyut.usage()).rejects.toMatchObject({ name: 'PermissionError', code: 'http_403', status: 403 });
  });

  it('an expired key is refused once, with what to do', async () => {
    const { key, keyId } = await server.newAccount('pro');
    const accountClient = new Jyutsing({ baseUrl: proxy.baseUrl, apiKey: key });
    const job = await accountClient.transcribe(wav(1));
    await jyut.keys.revoke(keyId);
    proxy.requests.length = 0;
    await expect(job.wait()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_api_key' });
    expect(proxy.requests).toHaveLength(1);
  });
});
