import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openSilentAddress } from '#test/silent-address.ts';
import { disconnect } from './postgres-watch.ts';

function clientOf(port: number): { client: Client; failed: Promise<unknown>; socket: Socket } {
  const client = new Client({ host: '127.0.0.1', port, user: 'x', database: 'x' });
  client.on('error', () => {});
  const failed = client.connect().catch((error: unknown) => error);
  return { client, failed, socket: (client as Client & { connection: { stream: Socket } }).connection.stream };
}

it('a connection that is still being made is closed at once', async () => {
  await using address = await openSilentAddress();
  const { client, failed, socket } = clientOf(address.port);
  expect(socket.connecting).toBe(true);
  disconnect(client);
  const isDestroyed = socket.destroyed;
  socket.destroy();
  expect(isDestroyed).toBe(true);
  expect(await failed).toMatchObject({ message: 'Connection terminated unexpectedly' });
});

it('a connection to a silent server is reset, so that nothing that was sent arrives later', async () => {
  await using server = createServer().listen(0, '127.0.0.1');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  await once(server, 'listening');
  const { client, failed } = clientOf((server.address() as AddressInfo).port);
  const [served] = await accepted;
  const reset = once(served, 'error');
  served.resume();
  await once(served, 'data');
  disconnect(client);
  expect(await reset).toMatchObject([{ code: 'ECONNRESET' }]);
  expect(await failed).toMatchObject({ message: 'Connection terminated unexpectedly' });
});
