import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { dropUnusedConnections } from './unused-connections.ts';

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
    dropUnusedConnections(app);
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
