import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to connections and to servers that ask for any: one of these
 * stays free until it is used, however many connections others open meanwhile.
 */
const FIRST = 10_000;
const COUNT = 20_000;
/** Processes that run at the same time begin as far apart. */
const PER_PROCESS = 97;

let next = process.pid * PER_PROCESS;

/** A port of this machine on which nothing listens now, another one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) server.close();
  if (isListening) await once(server, 'close');
  return isListening;
}
