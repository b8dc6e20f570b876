import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { endConnectionsOnClose } from './end-connections.ts';

/** Less than Node waits for the first request of a connection, which is a minute. */
const TIMEOUT_MS = 30_000;

async function openTo(app: FastifyInstance): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await Promise.all([once(socket, 'connect'), once(app.server, 'connection')]);
  return socket;
}

test(
  'a connection without a request does not keep a server open, before nor while it closes',
  { timeout: TIMEOUT_MS },
  async () => {
    const app = Fastify();
    endConnectionsOnClose(app);
    const opened: Socket[] = [];
    // As while the server waits for requests in progress.
    app.addHook('preClose', async () => void opened.push(await openTo(app)));
    await app.listen({ port: 0 });
    opened.push(await openTo(app));
    const closed = opened.map((socket) => once(socket, 'close'));
    await app.close();
    await Promise.all(closed);
    expect(opened).toHaveLength(2);
  },
);

test(
  'a response that runs while the server closes ends whole, and its connection after it',
  { timeout: TIMEOUT_MS },
  async () => {
    const app = Fastify();
    endConnectionsOnClose(app);
    const body = new PassThrough();
    app.get('/', (_request, reply) => reply.send(body));
    await app.listen({ port: 0 });
    const socket = await openTo(app);
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    body.write('first');
    socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    await once(socket, 'data');
    // Longer than a connection may stay without a request.
    const closed = app.close();
    setTimeout(() => body.end('last'), 1_000);
    await Promise.all([closed, once(socket, 'close')]);
    expect(received).toContain('last');
    expect(received).toMatch(/0\r\n\r\n$/);
  },
);

test('half a request does not keep a server open', { timeout: TIMEOUT_MS }, async () => {
  const app = Fastify();
  endConnectionsOnClose(app);
  app.get('/', () => 'whole');
  await app.listen({ port: 0 });
  const socket = await openTo(app);
  // It may be reset.
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve('ended')));
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\nGET / HTTP/1.1\r\nHo');
  await once(socket, 'data');
  await app.close();
  expect(await ended).toBe('ended');
});
