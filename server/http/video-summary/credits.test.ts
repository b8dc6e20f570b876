import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos, ID, resetTestVideos } from '#test/http/video-summary.ts';
import { SENTENCES } from '#test/video-sentences.ts';

const videos = createTestVideos();
let server: TestServer;
let account: { id: string; key: string };
let sockets: Socket[] = [];
beforeAll(async () => {
  server = await startTestServer({ videoSummarizer: videos });
});
beforeEach(async () => {
  resetTestVideos(videos);
  account = await server.newAccount('pro', ['video']);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Summary credits of the plan `pro`. */
const LIMIT = 400;
const url = () => `${server.baseUrl}/api/video-summary/summarize-from-url`;
const summarize = (signal?: AbortSignal) =>
  send(url(), { ...json('POST', { url: ID }, account.key), ...(signal && { signal }) });
const used = async () => (await server.store.quotas.used(account.id)).video_summaries;
const finallyUsed = (expected: number) =>
  vi.waitFor(async () => expect(await used()).toBe(expected), { timeout: 60_000 });

/** Charges summaries to the account. */
async function spend(amount: number): Promise<void> {
  const requestId = randomUUID();
  await server.store.quotas.reserve({
    accountId: account.id,
    unit: 'video_summaries',
    amount,
    limit: LIMIT,
    requestId,
    heldBy: 'process',
  });
  await server.store.quotas.settle(requestId, amount);
}

/** Delays summaries until `go` is called. */
function holdSummaries(): { go(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  videos.until = promise;
  return { go: resolve };
}

/** Sends a request without reading the response. */
async function sendWithoutReading(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  socket.pause().on('error', () => {});
  await once(socket, 'connect');
  const body = JSON.stringify({ url: ID, api_key: account.key });
  socket.write(
    `POST /api/video-summary/summarize-from-url HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

test('a summary costs one credit, reserved while it is generated', async () => {
  const { go } = holdSummaries();
  const pending = summarize();
  await vi.waitFor(() => expect(videos.waiting()).toBe(1));
  expect(await used()).toBe(1);
  go();
  expect((await pending).body).toMatchObject({ success: true });
  await finallyUsed(1);
  const usage = await send(`${server.baseUrl}/api/video-summary/get-usage`, withKey(account.key));
  expect(usage.body).toMatchObject({ plan: 'pro', used: 1, limit: LIMIT, remaining: LIMIT - 1 });
});

test('a hundred simultaneous requests get exactly the last five credits', async () => {
  await spend(LIMIT - 5);
  const { go } = holdSummaries();
  const pending = Array.from({ length: 100 }, () => summarize());
  const refused = Promise.all(pending.map(async (answer) => (await answer).body['success']));
  await vi.waitFor(() => expect(videos.waiting()).toBe(5));
  expect(await used()).toBe(LIMIT);
  go();
  await refused;
  const answers = (await Promise.all(pending)).map(({ status, body }) => [status, body['success'], body['message']]);
  const served = answers.filter(([, success]) => success === (true as unknown));
  expect(served).toHaveLength(5);
  expect(answers.filter(([, success]) => success === (false as unknown))).toEqual(
    Array.from({ length: 95 }, () => [200, false, 'quota_exceeded']),
  );
  expect([videos.requests.length, await used()]).toEqual([5, LIMIT]);
});

test('a failure releases its credit before the answer, so that the last credit can be used again', async () => {
  await spend(LIMIT - 1);
  for (const [code, message] of Object.entries(SENTENCES)) {
    if (code === 'invalid_video_link') continue;
    videos.failure = new AppError(code as keyof typeof SENTENCES);
    expect([code, (await summarize()).body['message'], await used()]).toEqual([code, message, LIMIT - 1]);
  }
  videos.failure = new TypeError('x is not a function') as AppError;
  expect([(await summarize()).status, await used()]).toEqual([500, LIMIT - 1]);
  videos.failure = null;
  expect((await summarize()).body).toMatchObject({ success: true });
  await finallyUsed(LIMIT);
  expect((await summarize()).body).toMatchObject({ success: false, message: 'quota_exceeded' });
});

test('a disconnect aborts the work and costs nothing', async () => {
  holdSummaries();
  const disconnect = new AbortController();
  const pending = summarize(disconnect.signal);
  await vi.waitFor(() => expect(videos.waiting()).toBe(1));
  disconnect.abort();
  await expect(pending).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(videos.abortedWith).toMatchObject([{ code: 'client_closed_request' }]));
  await finallyUsed(0);
});

test('a disconnect aborts the listing of tracks too', async () => {
  holdSummaries();
  const disconnect = new AbortController();
  const pending = send(`${server.baseUrl}/api/video-summary/list-languages?url=${ID}`, {
    ...withKey(account.key),
    signal: disconnect.signal,
  });
  await vi.waitFor(() => expect(videos.waiting()).toBe(1));
  disconnect.abort();
  await expect(pending).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(videos.abortedWith).toMatchObject([{ code: 'client_closed_request' }]));
});

test('an answer that is not delivered completely costs nothing', async () => {
  // Larger than the socket buffers.
  videos.transcript = 'x'.repeat(24 * 1024 ** 2);
  const socket = await sendWithoutReading();
  await once(socket.resume(), 'data');
  socket.pause();
  expect(await used()).toBe(1);
  socket.destroy();
  await finallyUsed(0);
});

test('a slowly read answer is charged when it is delivered', async () => {
  videos.transcript = 'x'.repeat(24 * 1024 ** 2);
  const socket = await sendWithoutReading();
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(videos.transcript.length), { timeout: 60_000 });
  socket.destroy();
  await finallyUsed(1);
});

test('of a hundred clients half disconnect, and only the others are charged', async () => {
  const { go } = holdSummaries();
  const leaving = new AbortController();
  const pending = Array.from({ length: 100 }, (_, i) => summarize(i % 2 === 0 ? leaving.signal : undefined));
  const ends = Promise.allSettled(pending);
  await vi.waitFor(() => expect(videos.waiting()).toBe(100), { timeout: 60_000 });
  leaving.abort();
  await vi.waitFor(() => expect(videos.waiting()).toBe(50), { timeout: 60_000 });
  go();
  const served = (await ends).filter((end) => end.status === 'fulfilled' && end.value.status === 200);
  expect(served).toHaveLength(50);
  await finallyUsed(50);
});

test('credits of other accounts do not change', async () => {
  const other = account;
  account = await server.newAccount('pro', ['video']);
  await summarize();
  await finallyUsed(1);
  expect((await server.store.quotas.used(other.id)).video_summaries).toBe(0);
});
