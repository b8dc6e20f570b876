import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { freePort } from './free-port.ts';

const LOOPBACK = '127.0.0.1';

/** A TCP server in front of another that misbehaves like a network. */
export type TcpProxy = {
  port: number;
  /** Passes nothing on, in either direction, and keeps every connection open. */
  freeze(): void;
  /** Passes on what was held back. */
  resume(): void;
  /** Delays all data of new connections; 0 ends the delay. */
  delay(milliseconds: number): void;
  /** Existing connections stay open and never deliver anything again; new ones work. */
  forget(): void;
  /**
   * Resets the first connection whose client sends `first` and then `last`, when the server has
   * answered that; the answer is lost.
   */
  loseAnswer(first: string, last: string): void;
  /** Resets every connection. */
  reset(): void;
  /** Resets every connection and refuses new ones, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

/** A proxy in front of PostgreSQL; `databaseUrl` is the same database, through the proxy. */
export type DatabaseProxy = TcpProxy & { databaseUrl: string };

/**
 * Opens a proxy in front of a test database, which listens at `address`. `databaseUrl` names the
 * folder of the socket of the database, as those of the test databases do.
 */
export async function openDatabaseProxy(databaseUrl: string, address = LOOPBACK): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const proxy = await openTcpProxy({ path: `${url.searchParams.get('host')}/.s.PGSQL.5432` }, address);
  return { ...proxy, databaseUrl: `postgres://postgres@${address}:${proxy.port}${url.pathname}` };
}

export async function openTcpProxy(target: NetConnectOpts, address = LOOPBACK): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  let delayMs = 0;
  let losing: { first: string; last: string } | null = null;
  const server = createServer((client) => {
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      flow(from, to, delayMs);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (isFrozen) hold(pair);
    let hasSentFirst = false;
    client.on('data', (chunk: Buffer) => {
      if (losing === null) return;
      hasSentFirst ||= chunk.includes(losing.first);
      if (!hasSentFirst || !chunk.includes(losing.last)) return;
      losing = null;
      upstream.unpipe(client);
      upstream.once('data', () => client.resetAndDestroy()).resume();
    });
  });
  const port = await freePort();
  server.listen(port, address);
  await once(server, 'listening');
  const reset = () => pairs.forEach(([client]) => client.resetAndDestroy());
  return {
    port,
    delay: (milliseconds) => void (delayMs = milliseconds),
    freeze() {
      isFrozen = true;
      pairs.forEach(hold);
    },
    resume() {
      isFrozen = false;
      for (const [client, upstream] of pairs) {
        flow(client, upstream, delayMs);
        flow(upstream, client, delayMs);
      }
    },
    forget() {
      pairs.forEach(hold);
      pairs.clear();
    },
    loseAnswer: (first, last) => void (losing = { first, last }),
    reset,
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      reset();
      await closed;
    },
    async accept() {
      server.listen(port, address);
      await once(server, 'listening');
    },
    async close() {
      server.close();
      reset();
    },
  };
}

function flow(from: Socket, to: Socket, delayMs: number): void {
  if (delayMs === 0) {
    from.pipe(to);
    return;
  }
  const late = new Transform({
    transform: (chunk, _, pass) => void setTimeout(() => pass(null, chunk), delayMs),
  });
  from.pipe(late).pipe(to);
}

function hold([client, upstream]: readonly [Socket, Socket]): void {
  for (const socket of [client, upstream]) {
    socket.unpipe();
    socket.pause();
  }
}
