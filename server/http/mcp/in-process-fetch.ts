import {
  createServer,
  request as startRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { duplexPair, Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import type { Fetch } from '@jyutsing/client';

/** The answers that have no body by the rules of HTTP; `Response` refuses one for them. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Makes `fetch` functions whose requests reach the routes of this process without a network: as
 * HTTP over a pair of streams, so that bodies flow, and an aborted request is a client that left.
 * The requests count as those of the client with the address `ip`.
 */
export function createInProcessFetch(app: FastifyInstance): (ip: string) => Fetch {
  const server = createServer((request, response) => app.routing(request, response));
  const open = new Set<Duplex>();
  server.on('connection', (connection: Duplex) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  app.addHook('onClose', () => {
    for (const connection of open) connection.destroy();
  });
  return (ip) => (url, init) => send(server, ip, new Request(url, { ...init, duplex: 'half' } as RequestInit));
}

async function send(server: Server, ip: string, request: Request): Promise<Response> {
  const [near, far] = duplexPair();
  server.emit('connection', Object.assign(far, { remoteAddress: ip }));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = startRequest(request.url, {
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), connection: 'close' },
    signal: request.signal,
    createConnection: () => near,
  });
  outgoing.once('response', resolve);
  // Stays registered, because an error after the answer would have no other listener.
  outgoing.on('error', reject);
  const { body } = request;
  // An answer may come before the whole body was read; the failure of the rest is no other error.
  if (body === null) outgoing.end();
  else void pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(reject);
  const response = await promise.catch((failure: unknown) => {
    near.destroy();
    throw failure;
  });
  return responseOf(response, near);
}

/** Returns the headers that Node read as the pairs of the Fetch standard. */
export function headerPairs(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}

function responseOf(incoming: IncomingMessage, connection: Duplex): Response {
  const { statusCode: status = 500, headers } = incoming;
  const pairs = headerPairs(headers);
  incoming.once('close', () => connection.destroy());
  if (WITHOUT_BODY.includes(status)) {
    incoming.resume();
    return new Response(null, { status, headers: pairs });
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers: pairs });
}
