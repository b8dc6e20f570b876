import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { replyWithError } from './errors.ts';
import { replyWithEvents, writeEvent, type ServerSentEvent } from './server-sent-events.ts';

let app: FastifyInstance | null = null;
afterEach(async () => void (await app?.close()));

/** Serves these events, with a keep-alive every 50 ms of silence; fetches them. */
async function get(events: () => AsyncGenerator<ServerSentEvent>, init: RequestInit = {}): Promise<Response> {
  const server = fastify({ genReqId: () => 'the-request' });
  app = server;
  server.setErrorHandler(replyWithError);
  server.get('/', (request, reply) => replyWithEvents(events(), request, reply, 50));
  await server.listen({ port: 0, host: '127.0.0.1' });
  return fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`, init);
}

test('an event is its name and one line of data, whatever is in it', () => {
  expect(writeEvent({ data: { text: '一\n\nevent: x\r' } })).toBe('data: {"text":"一\\n\\nevent: x\\r"}\n\n');
  expect(writeEvent({ name: 'done', data: {} })).toBe('event: done\ndata: {}\n\n');
});

test('data is one line for readers that end lines as Unicode does', () => {
  const text = 'a\v\f\u001c\u001d\u001e\u0085\u2028\u2029z';
  const written = writeEvent({ data: { text } });
  expect(written).toMatch(/^data: \{[ -~]*\}\n\n$/);
  expect(JSON.parse(written.slice('data: '.length))).toEqual({ text });
});

test('comments keep a silent stream alive, also before the first event, and the stream ends with its last event', async () => {
  const answer = await get(async function* () {
    await sleep(600);
    yield { data: { a: 1 } };
    await sleep(400);
    yield { name: 'end', data: { b: 2 } };
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const text = await answer.text();
  expect(text).toMatch(/^(: keep-alive\n\n)+data: \{"a":1\}\n\n(: keep-alive\n\n)+event: end\ndata: \{"b":2\}\n\n$/);
});

test('a failure before the first event has its own status', async () => {
  // oxlint-disable-next-line require-yield
  const answer = await get(async function* () {
    throw new AppError('corrupt_audio');
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ error: { code: 'corrupt_audio' } });
});

test.each([
  ['the record failed', new AppError('corrupt_audio', 'It is cut off.'), 'corrupt_audio', 'It is cut off.'],
  ['the server stops', new AppError('service_unavailable', 'Stopping.'), 'service_unavailable', 'Stopping.'],
])('when %s after the first event, the last one is the error as everywhere', async (_, error, code, message) => {
  const answer = await get(async function* () {
    yield { data: { a: 1 } };
    throw error;
  });
  const [first, last = ''] = (await answer.text()).split('\n\n');
  expect(first).toBe('data: {"a":1}');
  expect(last).toMatch(/^event: error\ndata: /);
  expect(JSON.parse(last.replace('event: error\ndata: ', ''))).toMatchObject({
    success: false,
    message,
    error: { code, message },
    request_id: 'the-request',
  });
});

test('an unexpected error reveals no details in the stream', async () => {
  const answer = await get(async function* () {
    yield { data: {} };
    throw new TypeError('/secret/path.ts');
  });
  const text = await answer.text();
  expect(text).toContain('internal_error');
  expect(text).not.toContain('secret');
});

test('the events are ended when the client disconnects', async () => {
  const leaving = new AbortController();
  const ended = Promise.withResolvers<string>();
  const answer = await get(
    async function* () {
      try {
        for (;;) {
          yield { data: {} };
          await sleep(20);
        }
      } finally {
        ended.resolve('ended');
      }
    },
    { signal: leaving.signal },
  );
  const reader = answer.body!.getReader();
  await reader.read();
  leaving.abort();
  await expect(ended.promise).resolves.toBe('ended');
});
