import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { clientNetwork } from './client-network.ts';
import type { HttpConfig } from './deps.ts';
import { isWebSocket } from './live/live-route.ts';
import { withoutOpenaiPrefix } from './openai-prefix.ts';

/**
 * The options of Node's server: TLS, and time limits for receiving a request; its answer may take
 * longer. Node counts the headers
 * from the connection, so that silent connections end too. Bodies that are read have narrower
 * limits, and connections that wait for their next request end by Fastify's limit of 72 seconds.
 */
export function nodeServer({ headersMs, bodyPace, tls }: HttpConfig) {
  const options = {
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.ceil(headersMs / 8),
    // Clients may offer another protocol with any request; Node would hand each over unanswered.
    shouldUpgradeCallback: isWebSocket,
  };
  return {
    rewriteUrl: withoutOpenaiPrefix,
    requestTimeout: headersMs + bodyPace.wholeMs,
    // The types of Fastify have another server for https, which differs in nothing that is used.
    ...(tls === null ? { http: options } : ({ https: { ...options, ...tls } } as unknown as { http: typeof options })),
  };
}

const RETRY_AFTER_SECONDS = 10;
const REFUSED_FOR_MS = 1_000;

/** The proxies whose X-Forwarded-For Fastify believes. */
export function trustedProxies(setting: HttpConfig['trustProxy']) {
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting;
  return [...setting];
}

/**
 * Closes connections beyond the limits. Behind a proxy all connections have its address, so there
 * the requests in progress of each client are counted.
 */
export function limitConnections(
  app: FastifyInstance,
  { maxConnections, connectionsPerAddress, trustProxy }: HttpConfig,
): void {
  app.server.maxConnections = maxConnections;
  const counts = new Map<string, number>();
  /**
   * Counts a connection of the address and returns the function that ends the count; null when the
   * address has too many.
   */
  const take = (address: string): (() => void) | null => {
    const network = clientNetwork(address);
    const count = counts.get(network) ?? 0;
    if (count >= connectionsPerAddress) return null;
    counts.set(network, count + 1);
    return () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    };
  };

  if (typeof trustProxy === 'number' ? trustProxy > 0 : true) {
    app.addHook('onRequest', (request, reply, done) => {
      const release = take(request.ip);
      if (release !== null) reply.raw.once('close', release);
      done(release === null ? tooMany() : undefined);
    });
    return;
  }
  const refused = new WeakSet<Socket>();
  app.server.on('connection', (socket: Socket) => {
    const release = take(socket.remoteAddress ?? '');
    if (release !== null) {
      socket.once('close', release);
      return;
    }
    // A request that arrives within this time gets an answer that says why.
    refused.add(socket);
    setTimeout(() => socket.destroy(), REFUSED_FOR_MS).unref();
  });
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const isRefused = refused.has(raw.socket);
    if (isRefused) reply.header('connection', 'close');
    done(isRefused ? tooMany() : undefined);
  });
}

function tooMany(): AppError {
  const message = 'Too many connections from this address; wait for running requests to end.';
  return new AppError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
