import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';

let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  server = await startTestServer();
  account = await server.newAccount('pro');
});
afterAll(() => server[Symbol.asyncDispose]());

type Event = { name: string; data: Record<string, unknown> };

const insert = async (change: RecordChange = {}) => {
  const record = newRecord(account.id, { status: 'processing', ...change });
  await server.store.transcriptions.insert(record);
  return record.id;
};
const urlOf = (id: string, { baseUrl } = server) => `${baseUrl}/api/speech-to-text/${id}/events`;
const complete = (id: string) =>
  server.store.transcriptions.complete(id, {
    result: { ...newResult(), durationMs: 3_000 },
    cacheKey: '',
    processingSeconds: 1,
    creditsUsed: 3,
  });

/** Reads the stream as it comes: `next` gives one event, null at its end. */
async function follow(id: string, init: RequestInit = {}, from = server) {
  const answer = await fetch(urlOf(id, from), { ...withKey(account.key), ...init });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (lines[0]?.startsWith(':')) continue;
        const of = (field: string) => lines.find((line) => line.startsWith(field))?.slice(field.length) ?? '';
        return { name: of('event: '), data: JSON.parse(of('data: ')) as Record<string, unknown> };
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += value;
    }
  };
  return { answer, next };
}
const progress = (stage: string, processed: number, percent: number) => ({
  name: 'progress',
  data: { stage, processed_s: processed, duration_s: 3, percent },
});

test('progress is sent as it happens, then the record, then the stream ends', async () => {
  const id = await insert();
  const { answer, next } = await follow(id);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(await next()).toEqual(progress('queued', 0, 0));
  await server.store.transcriptions.progress(id, { stage: 'recognition', processedMs: 1_000 });
  expect(await next()).toEqual(progress('recognition', 1, 33.3));
  await server.store.transcriptions.progress(id, { stage: 'fusion', processedMs: 3_500 });
  expect(await next()).toEqual(progress('fusion', 3.5, 100));
  await complete(id);
  const polled = await send(`${server.baseUrl}/api/speech-to-text/get-result?id=${id}`, withKey(account.key));
  expect(await next()).toEqual({ name: 'completed', data: polled.body['transcription'] });
  expect(await next()).toBeNull();
});

test('a final record gives one event, whatever Last-Event-ID is', async () => {
  const completed = await insert();
  await complete(completed);
  const error = { code: 'corrupt_audio', message: 'It is cut off.' } as const;
  const failed = await insert({ status: 'failed', error });
  for (const lastEventId of ['', '7', 'x'.repeat(1_000)]) {
    const headers = { 'x-api-key': account.key, 'last-event-id': lastEventId };
    const done = await follow(completed, { headers });
    expect(await done.next()).toMatchObject({ name: 'completed', data: { request_id: completed } });
    expect(await done.next()).toBeNull();
    const broken = await follow(failed, { headers });
    expect(await broken.next()).toMatchObject({ name: 'failed', data: { error: 'It is cut off.' } });
    expect(await broken.next()).toBeNull();
  }
});

test('deleting a record ends its stream with the event deleted', async () => {
  const id = await insert();
  const { next } = await follow(id);
  expect((await next())?.name).toBe('progress');
  const url = `${server.baseUrl}/api/speech-to-text/${id}`;
  expect((await send(url, { method: 'DELETE', ...withKey(account.key) })).status).toBe(200);
  expect(await next()).toEqual({ name: 'deleted', data: { request_id: id } });
  expect(await next()).toBeNull();
});

test('a duration that is not known yet gives no percentage', async () => {
  const { next } = await follow(await insert({ durationMs: 0 }));
  expect((await next())?.data).toEqual({ stage: 'queued', processed_s: 0, duration_s: 0, percent: null });
});

test('fifty clients of one record all receive its end; a disconnect leaves nothing behind', async () => {
  const id = await insert();
  const leaving = new AbortController();
  const left = await follow(id, { signal: leaving.signal });
  await left.next();
  const staying = await Promise.all(Array.from({ length: 50 }, () => follow(id)));
  await Promise.all(staying.map(({ next }) => next()));
  leaving.abort();
  await expect(left.next()).rejects.toThrow('abort');
  await complete(id);
  const ends = await Promise.all(staying.map(async ({ next }) => [(await next())?.name, await next()]));
  expect(ends).toEqual(Array.from({ length: 50 }, () => ['completed', null]));
});

test('a server that stops ends its streams with a reason, and waits for none of them', async () => {
  const other = await startTestServer();
  const { id: accountId, key } = await other.newAccount('pro');
  const record = newRecord(accountId);
  await other.store.transcriptions.insert(record);
  const { next } = await follow(record.id, withKey(key), other);
  expect((await next())?.name).toBe('progress');
  const startedMs = performance.now();
  await other[Symbol.asyncDispose]();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(await next()).toMatchObject({ name: 'error', data: { error: { code: 'service_unavailable' } } });
  expect(await next()).toBeNull();
});

test('asking for the headers alone does not wait for the end', async () => {
  const answer = await fetch(urlOf(await insert()), { method: 'HEAD', ...withKey(account.key) });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
});
