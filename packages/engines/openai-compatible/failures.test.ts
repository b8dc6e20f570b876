import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  transcribed,
  serveTranscriptions,
  ONE_UTTERANCE,
  SIX_UTTERANCES,
  chunksOf,
  envFor,
} from '#test/openai/transcribe-with-server.ts';
import { startTranscriptionServer, type Reaction } from '#test/openai/transcription-server.ts';
import { engine } from './recognizer.ts';

const { server, always, failure } = await serveTranscriptions();

describe('failures are typed errors without key and address', () => {
  const failures: [string, Reaction, string, number][] = [
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 'service_unavailable', 7],
    ['a busy proxy', { kind: 'status', status: 503 }, 'service_unavailable', 0],
    ['500', { kind: 'status', status: 500, body: 'Traceback (most recent call last)' }, 'engine_failed', 0],
    ['403', { kind: 'status', status: 403 }, 'engine_unavailable', 0],
    ['404', { kind: 'status', status: 404 }, 'engine_unavailable', 0],
    ['a redirect', { kind: 'status', status: 302, headers: { location: '/login' } }, 'engine_unavailable', 0],
    ['413', { kind: 'status', status: 413 }, 'engine_failed', 0],
    ['HTML', { kind: 'body', body: '<html>Sign in</html>', type: 'text/html' }, 'engine_failed', 0],
    ['other JSON', { kind: 'body', body: '{"choices":[]}' }, 'engine_failed', 0],
    ['null', { kind: 'body', body: 'null' }, 'engine_failed', 0],
    ['an empty body', { kind: 'body', body: '' }, 'engine_failed', 0],
    ['a body of 5 MB', { kind: 'body', body: `{"text":"${'a'.repeat(5_000_000)}"}` }, 'engine_failed', 0],
    ['truncated JSON', { kind: 'body', body: '{"text": "half' }, 'engine_failed', 0],
    ['a connection lost during the response', { kind: 'truncated' }, 'service_unavailable', 0],
    ['a reset connection', { kind: 'reset' }, 'service_unavailable', 0],
    ['a server that never responds', { kind: 'hang' }, 'timed_out', 0],
    ['a slow server', { kind: 'slow', ms: 1_500, next: transcribed('late') }, 'timed_out', 0],
  ];
  it.each(failures)('%s', async (_name, reaction, code, retryAfterSeconds) => {
    always(reaction);
    // A long timeout keeps the other cases independent of the load of the machine.
    const timeoutSeconds = code === 'timed_out' ? '0.5' : '30';
    const thrown = await failure(ONE_UTTERANCE, { settings: { STT_TIMEOUT_SECONDS: timeoutSeconds } });
    expect(thrown).toMatchObject({ name: 'AppError', code, retryAfterSeconds: retryAfterSeconds || null });
    expect(JSON.stringify([thrown, String(thrown)])).not.toMatch(/sk-secret|127\.0\.0\.1|http:/);
  });

  it('a wrong key names the variable, but not the key', async () => {
    const thrown = await failure(ONE_UTTERANCE, { settings: { STT_API_KEY: 'sk-wrong-key' } });
    expect(thrown).toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('STT_API_KEY') });
    expect(`${String(thrown)} ${String((thrown as Error).cause)}`).not.toContain('sk-wrong');
  });

  it('an unreachable server is 503', async () => {
    const closedServer = await startTranscriptionServer();
    await closedServer.close();
    const thrown = await failure(ONE_UTTERANCE, { settings: { STT_BASE_URL: closedServer.baseUrl } });
    expect(thrown).toMatchObject({ code: 'engine_unavailable', status: 503 });
    expect(String(thrown)).not.toMatch(/127\.0\.0\.1/);
  });

  it.each(['http://nowhere.invalid'])('an unknown host name is 503: %s', async (STT_BASE_URL) => {
    const thrown = await failure(ONE_UTTERANCE, { settings: { STT_BASE_URL } });
    expect(thrown).toMatchObject({ code: 'engine_unavailable', status: 503 });
    expect(String(thrown)).not.toMatch(/127\.0\.0\.1|nowhere/);
  });

  it('a failed upload aborts the concurrent ones', async () => {
    const before = server.abandoned();
    const failed: Reaction = { kind: 'status', status: 500 };
    // It fails when others have begun, however long that takes.
    const late = (): Reaction => ({ kind: 'held', until: until(() => server.busy() > 1), next: failed });
    server.behave((_upload, index) => (index === 0 ? late() : { kind: 'hang' }));
    expect(await failure(SIX_UTTERANCES, { settings: { STT_CONCURRENCY: '4' } })).toMatchObject({
      code: 'engine_failed',
    });
    await until(() => server.busy() === 0);
    expect(server.abandoned()).toBeGreaterThan(before);
  });

  it('an abort closes all uploads at once and throws its reason', async () => {
    always({ kind: 'hang' });
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const work = failure(SIX_UTTERANCES, { signal: abort.signal });
    await until(() => server.busy() === 4);
    const abortedMs = performance.now();
    abort.abort(reason);
    expect(await work).toBe(reason);
    await until(() => server.busy() === 0);
    // The server would hang for 5 s.
    expect(performance.now() - abortedMs).toBeLessThan(3_000);
  });

  it('a consumer that stops early aborts the uploads', async () => {
    server.behave((_upload, index) => (index === 0 ? transcribed('你好。') : { kind: 'hang' }));
    const recognizer = await engine.open(envFor(server), 'openai-compatible');
    const options = { language: 'cantonese', context: null, romanize: false } as const;
    for await (const event of recognizer.recognize(chunksOf(SIX_UTTERANCES), options, new AbortController().signal)) {
      if (event.type === 'segment-end') break;
    }
    await until(() => server.busy() === 0);
    expect(server.busy()).toBe(0);
    await recognizer.close();
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  while (!condition() && performance.now() < deadlineMs) await sleep(10);
}
