import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import {
  createConnections,
  CONNECTION_LIMITS,
  type ClientConnection,
  type ConnectionLimits,
} from './client-connection.ts';

let app: FastifyInstance;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

type AnswerEnd = { failure: unknown; hasLeft: boolean; listeners: number[] };

/** A server whose one route sends these chunks; records how each answer ended. */
async function serve(
  chunks: (connection: ClientConnection) => AsyncIterable<string | Uint8Array>,
  limits: Partial<ConnectionLimits> = {},
) {
  app = fastify();
  const ends: AnswerEnd[] = [];
  const open = createConnections(app, { ...CONNECTION_LIMITS, ...limits });
  app.get('/', async (_, reply) => {
    const { raw } = reply;
    const count = () => ['close', 'drain', 'finish'].map((event) => raw.listenerCount(event));
    const before = count();
    let failure: unknown = null;
    let hasLeft = false;
    {
      using connection = open(reply);
      await connection
        .send({ 'Content-Type': 'text/plain' }, chunks(connection))
        .catch((thrown: unknown) => (failure = thrown));
      hasLeft = connection.hasLeft();
    }
    ends.push({ failure, hasLeft, listeners: count().map((now, i) => now - before[i]!) });
    if (!raw.headersSent) await reply.code(502).send('refused');
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return { ends, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

/** A client that sends a request and reads only when it is resumed. */
async function connect(port: number): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.pause().on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  socket.resume();
  // One condition that ends here: a wait left behind would move the fake clocks of later tests.
  await vi.waitFor(() => expect(socket.closed || text.endsWith('\r\n0\r\n\r\n')).toBe(true), 120_000);
  return text;
}

const MIB = Buffer.alloc(1024 ** 2, 'x');

async function* endless() {
  for (;;) yield MIB;
}

async function* twice(what: string) {
  yield what;
  await sleep(20);
  yield what;
}

test('sends all chunks in one complete answer and leaves no event listener', async () => {
  const { ends, port } = await serve(() => twice('da'));
  const text = await textOf(await connect(port));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toMatch(/\r\n2\r\nda\r\n2\r\nda\r\n0\r\n\r\n$/);
  // Fastify itself waits for the end of every answer.
  await vi.waitFor(() => expect(ends).toMatchObject([{ failure: null, hasLeft: false }]), 120_000);
  expect(ends[0]?.listeners.every((count) => count <= 0)).toBe(true);
});

test('a failure before the first chunk can still be answered with a status', async () => {
  const failure = new AppError('engine_failed');
  const { ends, port } = await serve(async function* () {
    await sleep(5);
    if (port > 0) throw failure;
    yield 'never';
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect([response.status, await response.text()]).toEqual([502, 'refused']);
  await vi.waitFor(() => expect(ends).toMatchObject([{ failure, hasLeft: false }]), 120_000);
});

test('the chunks are ended in every case, so that their resources are released', async () => {
  let ended = 0;
  const { ends, port } = await serve(async function* ({ signal }) {
    try {
      // Ignores the signal and continues only when the client has disconnected.
      while (!signal.aborted) await sleep(5);
      yield 'late';
    } finally {
      ended += 1;
    }
  });
  const socket = await connect(port);
  await sleep(50);
  socket.destroy();
  await vi.waitFor(
    () => expect(ends).toMatchObject([{ failure: { code: 'client_closed_request' }, hasLeft: true }]),
    20_000,
  );
  expect(ended).toBe(1);
});

test('a client that reads nothing is disconnected and counts as having left', async () => {
  const { ends, port } = await serve(endless, { stalledAfterMs: 200 });
  await connect(port);
  await vi.waitFor(
    () => expect(ends).toMatchObject([{ failure: { code: 'client_closed_request' }, hasLeft: true }]),
    20_000,
  );
});

test('a client that reads slowly is not disconnected', async () => {
  const state = { isOver: false };
  const { ends, port } = await serve(
    async function* () {
      while (!state.isOver) yield MIB;
    },
    { stalledAfterMs: 1_000 },
  );
  const socket = await connect(port);
  for (let i = 0; i < 12; i += 1) {
    socket.resume();
    await sleep(5);
    socket.pause();
    await sleep(100);
  }
  expect(ends).toEqual([]);
  state.isOver = true;
  await textOf(socket);
  await vi.waitFor(() => expect(ends).toMatchObject([{ failure: null }]), 120_000);
});

test('the total time limit is client_closed_request while waiting for the client, timed_out while waiting for chunks', async () => {
  const dripping = await serve(endless, { wholeMs: 300 });
  const socket = await connect(dripping.port);
  await sleep(20);
  await vi.waitFor(
    () => expect(dripping.ends).toMatchObject([{ failure: { code: 'client_closed_request' }, hasLeft: true }]),
    20_000,
  );
  socket.destroy();
  await app.close();

  const { ends, port } = await serve(
    async function* ({ signal }) {
      yield 'one';
      await sleep(60_000, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
    { wholeMs: 200 },
  );
  const text = await textOf(await connect(port));
  expect(text).toMatch(/one\r\n$/);
  expect(ends).toMatchObject([{ failure: { code: 'timed_out' }, hasLeft: false }]);
});

test('data sent before a failure still arrives before the connection is cut', async () => {
  const failure = new AppError('engine_failed');
  const { ends, port } = await serve(async function* () {
    yield 'the beginning';
    throw failure;
  });
  const text = await textOf(await connect(port));
  expect(text).toMatch(/the beginning\r\n$/);
  expect(ends).toMatchObject([{ failure, hasLeft: false }]);
});

test('a disconnect aborts the work at once, while waiting for chunks and for the client', async () => {
  const { ends, port } = await serve(async function* ({ signal }) {
    yield 'one';
    await sleep(60_000, undefined, { signal }).catch(() => signal.throwIfAborted());
  });
  const socket = await connect(port);
  socket.resume();
  await once(socket, 'data');
  socket.destroy();
  await vi.waitFor(
    () => expect(ends).toMatchObject([{ failure: { code: 'client_closed_request' }, hasLeft: true }]),
    20_000,
  );
  await app.close();

  const busy = await serve(endless);
  const slow = await connect(busy.port);
  await sleep(100);
  slow.resetAndDestroy();
  await vi.waitFor(
    () => expect(busy.ends).toMatchObject([{ failure: { code: 'client_closed_request' }, hasLeft: true }]),
    20_000,
  );
});

test('a closing server waits briefly for open answers and then cuts them off', async () => {
  const { ends, port } = await serve(() => twice('da'));
  const socket = await connect(port);
  const text = textOf(socket);
  await sleep(5);
  await app.close();
  expect(await text).toMatch(/\r\n0\r\n\r\n$/);
  expect(ends).toMatchObject([{ failure: null }]);

  const busy = await serve(endless);
  await connect(busy.port);
  await sleep(100);
  const beganMs = performance.now();
  await app.close();
  expect(performance.now() - beganMs).toBeLessThan(4_000);
  expect(busy.ends).toMatchObject([{ failure: { code: 'service_unavailable' }, hasLeft: false }]);
});
