import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { clientNetwork } from './client-network.ts';

let server: TestServer;
afterEach(() => {
  vi.useRealTimers();
  return server[Symbol.asyncDispose]();
});

/** Opens connections that send nothing. */
async function openSilent(count: number) {
  const sockets = Array.from({ length: count }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}
const health = () => send(`${server.baseUrl}/health`, { headers: { connection: 'close' } });

test('one address has a limited number of connections; a request beyond it is told so', async () => {
  server = await startTestServer({ connectionsPerAddress: 3 });
  const sockets = await openSilent(3);
  // The server has seen all three when the next one is refused.
  await expect.poll(async () => (await health()).status).toBe(503);
  const refused = await health();
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  expect(refused.headers.get('retry-after')).toBe('10');
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await health()).status).toBe(200);
});

test('a silent connection beyond the limit of its address is closed', async () => {
  server = await startTestServer({ connectionsPerAddress: 2 });
  const sockets = await openSilent(3);
  const closed = sockets.map((socket) => once(socket.resume(), 'close').then(() => socket));
  await Promise.race(closed);
  expect(sockets.filter((socket) => socket.destroyed)).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
});

test('all addresses together have a limited number of connections', async () => {
  server = await startTestServer({ maxConnections: 2 });
  const sockets = await openSilent(3);
  await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
  expect(sockets.filter((socket) => socket.destroyed)).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
});

/** Guesses 50 keys at once for forwarded addresses; returns how many were refused for the rate. */
async function refusals(addressOf: (guess: number) => string): Promise<number> {
  const guess = (i: number) =>
    send(`${server.baseUrl}/api/usage`, { headers: { 'x-api-key': 'jyut_guess', 'x-forwarded-for': addressOf(i) } });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => guess(i)));
  for (const { status } of answers) expect([401, 429]).toContain(status);
  return answers.filter(({ status }) => status === 429).length;
}

test.each<[string, number | string[], (turn: number) => string]>([
  ['no proxy is trusted', 0, (turn) => `203.0.113.${turn % 250}`],
  ['one proxy is trusted', 1, (turn) => `203.0.113.${turn % 250}, 198.51.100.7`],
  ['loopback is trusted', ['loopback'], (turn) => `203.0.113.${turn % 250}, 198.51.100.7`],
])('forged addresses do not help to guess keys when %s', async (_name, trustProxy, addresses) => {
  // The rate limits regain nothing while the test runs.
  vi.useFakeTimers({ toFake: ['performance'] });
  server = await startTestServer({ trustProxy });
  let refused = 0;
  for (let turn = 0; turn < 1_500 && refused === 0; turn += 50) refused = await refusals((i) => addresses(turn + i));
  expect(refused).toBeGreaterThan(0);
  // Another client of the trusted proxy is not limited with it.
  const refusalsElsewhere = await refusals(() => '198.51.100.8');
  expect(refusalsElsewhere > 0).toBe(trustProxy === 0);
  expect((await send(`${server.baseUrl}/api/usage`, withKey(server.ownerKey))).status).toBe(200);
});

test('behind a proxy the requests in progress of each client are limited', async () => {
  server = await startTestServer({ trustProxy: 1, connectionsPerAddress: 2 });
  const leaving = new AbortController();
  /** A request that is not answered: its body has no end until its client leaves. */
  const hold = (address: string) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' };
    const init = { method: 'POST', body, duplex: 'half', headers, signal: leaving.signal };
    void fetch(`${server.baseUrl}/api/tts`, init as RequestInit).catch(() => {});
  };
  hold('198.51.100.7');
  hold('198.51.100.7');
  const ask = (address: string) => send(`${server.baseUrl}/health`, { headers: { 'x-forwarded-for': address } });
  await expect.poll(async () => (await ask('198.51.100.7')).status).toBe(503);
  expect((await ask('198.51.100.8')).status).toBe(200);
  leaving.abort();
  await expect.poll(async () => (await ask('198.51.100.7')).status).toBe(200);
});

test('an IPv6 client is its /64 network, an IPv4 client its address', async () => {
  server = await startTestServer();
  expect(clientNetwork('2001:db8:1:2:3:4:5:6')).toBe(clientNetwork('2001:db8:1:2::1'));
  expect(clientNetwork('2001:db8:1:2::1')).not.toBe(clientNetwork('2001:db8:1:3::1'));
  expect(clientNetwork('::ffff:198.51.100.7')).toBe('198.51.100.7');
  expect(clientNetwork('198.51.100.7')).toBe('198.51.100.7');
});
