import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** Reaction of the receiver to a request; a number is the status of a short answer. */
export type Reaction =
  | number
  /** Never answers. */
  | 'hang'
  /** Closes the connection instead of answering. */
  | 'reset'
  /** Answers 200 with an endless body, as fast as it is read. */
  | 'flood'
  /** Answers 200 with an endless body, one byte at a time. */
  | 'drip'
  /** Sends an endless header, one byte at a time. */
  | 'drip-header'
  | { redirect: string; status: 301 | 302 | 307 | 308 };

export type ReceivedWebhook = { url: string; headers: Record<string, string>; body: string };

/** A server to use as `callback_url`. */
type WebhookReceiver = AsyncDisposable & {
  /** `http://host:port`, or https with a certificate. */
  baseUrl: string;
  port: number;
  /** Every complete request, in order of arrival. */
  received: ReceivedWebhook[];
  /** Bytes of endless bodies that were written, including buffered ones. */
  floodedBytes(): number;
};

/**
 * Starts a receiver. The first requests get the reactions in order, later ones the last. `tls`: key
 * and certificate in PEM. Disposal closes every connection.
 */
export async function startWebhookReceiver(
  reactions: Reaction[] = [200],
  { host = '127.0.0.1', port = 0, tls }: { host?: string; port?: number; tls?: { key: string; cert: string } } = {},
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let count = 0;
  let floodedBytes = 0;
  const flood = async function* endless() {
    for (;;) {
      yield Buffer.alloc(256 * 1024);
      floodedBytes += 256 * 1024;
    }
  };
  const listener: RequestListener = (request, response) => {
    const reaction = reactions[Math.min(count++, reactions.length - 1)] ?? 200;
    void receive(request, received)
      .then(() => react(reaction, request, response, flood))
      .catch(ignore);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://${host}:${address.port}`,
    port: address.port,
    received,
    floodedBytes: () => floodedBytes,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Reads the JSON of a request as a receiver that knows the secret does. Throws when the signature
 * or the time is wrong.
 */
export function verifyWebhook({ headers, body }: ReceivedWebhook, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

async function receive(request: IncomingMessage, received: ReceivedWebhook[]): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = await text(request);
  received.push({ url: request.url ?? '', headers, body });
}

async function react(
  reaction: Reaction,
  request: IncomingMessage,
  response: ServerResponse,
  flood: () => AsyncIterable<Buffer>,
): Promise<void> {
  response.on('error', ignore);
  if (typeof reaction === 'object') {
    response.writeHead(reaction.status, { location: reaction.redirect }).end();
    return;
  }
  switch (reaction) {
    case 'hang':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'flood':
      response.writeHead(200);
      return pipeline(flood, response);
    case 'drip':
      response.writeHead(200);
      return drip((byte) => response.write(byte), request);
    case 'drip-header':
      request.socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      return drip((byte) => request.socket.write(byte), request);
    default:
      response.writeHead(reaction).end('received');
  }
}

async function drip(write: (byte: string) => void, { socket }: IncomingMessage): Promise<void> {
  while (!socket.destroyed) {
    write('x');
    await sleep(20);
  }
}

function ignore(): void {
  // Broken connections are expected in these tests.
}
