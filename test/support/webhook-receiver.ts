import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** What the receiver does with one request; a number is the status of a short answer. */
export type Reaction =
  | number
  /** Never answers. */
  | 'hang'
  /** Cuts the connection instead of answering. */
  | 'reset'
  /** Answers 200 with a body that never ends, as fast as it is read. */
  | 'flood'
  /** Answers 200 and begins a body that never ends, one byte at a time. */
  | 'drip'
  /** Sends the beginning of a header, one byte at a time, for ever. */
  | 'drip-header'
  | { redirect: string; status: 301 | 302 | 307 | 308 };

export type ReceivedWebhook = { url: string; headers: Record<string, string>; body: string };

/** A server that somebody might give as `callback_url`. */
export type WebhookReceiver = AsyncDisposable & {
  /** `http://host:port`, or https with a certificate. */
  baseUrl: string;
  port: number;
  /** Every request, oldest first, in the order in which they were received whole. */
  heard: ReceivedWebhook[];
  /** Bytes of answers that were taken off its hands, those in buffers on the way included. */
  floodedBytes(): number;
};

/**
 * Starts one. The first requests get the reactions in their order, all later ones the last.
 * `tls`: key and certificate in PEM. Closing it cuts every connection.
 */
export async function startWebhookReceiver(
  reactions: Reaction[] = [200],
  { host = '127.0.0.1', port = 0, tls }: { host?: string; port?: number; tls?: { key: string; cert: string } } = {},
): Promise<WebhookReceiver> {
  const heard: ReceivedWebhook[] = [];
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
    void receive(request, heard)
      .then(() => react(reaction, request, response, flood))
      .catch(ignore);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://${host}:${address.port}`,
    port: address.port,
    heard,
    floodedBytes: () => floodedBytes,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What a receiver that knows the secret makes of a request: the JSON. Throws when the signature or the time is wrong. */
export function verifyWebhook({ headers, body }: ReceivedWebhook, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

async function receive(request: IncomingMessage, heard: ReceivedWebhook[]): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = await text(request);
  heard.push({ url: request.url ?? '', headers, body });
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
      response.writeHead(reaction).end('heard');
  }
}

async function drip(write: (byte: string) => void, { socket }: IncomingMessage): Promise<void> {
  while (!socket.destroyed) {
    write('x');
    await sleep(20);
  }
}

function ignore(): void {
  // A connection that breaks is what these tests are about.
}
