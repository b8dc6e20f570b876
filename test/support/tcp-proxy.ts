import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP server in front of PostgreSQL that misbehaves like a network. */
export type DatabaseProxy = {
  /** The same database, through the proxy. */
  databaseUrl: string;
  /** Passes nothing on, in either direction, and keeps every connection open. */
  freeze(): void;
  /** Passes on what was held back. */
  resume(): void;
  /** Existing connections stay open and never deliver anything again; new ones work. */
  forget(): void;
  /** Resets every connection. */
  reset(): void;
  /** Resets every connection and refuses new ones, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

/** `databaseUrl` names the folder of the server's socket, as the test databases do. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.5432`;
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(socketPath);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (isFrozen) hold(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reset = () => pairs.forEach(([client]) => client.resetAndDestroy());
  return {
    databaseUrl: `postgres://postgres@127.0.0.1:${port}${url.pathname}`,
    freeze() {
      isFrozen = true;
      pairs.forEach(hold);
    },
    resume() {
      isFrozen = false;
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
    },
    forget() {
      pairs.forEach(hold);
      pairs.clear();
    },
    reset,
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      reset();
      await closed;
    },
    async accept() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      server.close();
      reset();
    },
  };
}

function hold([client, upstream]: readonly [Socket, Socket]): void {
  for (const socket of [client, upstream]) {
    socket.unpipe();
    socket.pause();
  }
}
