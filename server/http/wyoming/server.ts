import { createServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { clientNetwork } from '#http/client-network.ts';
import { serveConnection, WYOMING_LIMITS, type WyomingLimits } from './connection.ts';
import type { HttpSettings } from '#config/http-variables.ts';
import { createWyomingHandler, type WyomingDeps } from './handler.ts';

/** Homes have a few devices; more connections are closed at once. */
const MAX_CONNECTIONS = 100;
const MAX_CONNECTIONS_OF_CLIENT = 50;
/** How long a closing server waits for answers that are being sent. */
const CLOSING_MS = 5_000;

/** Serves the Wyoming protocol on a port of its own, as long as the service runs. */
export function addWyoming(
  app: FastifyInstance,
  { host, port, apiKey }: NonNullable<HttpSettings['wyoming']>,
  deps: WyomingDeps,
  limits: WyomingLimits = WYOMING_LIMITS,
): void {
  const { logger } = deps;
  const closing = new AbortController();
  const open = new Map<Socket, Promise<void>>();
  // A client may end its side when it has sent everything, and still read the answers.
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket: Socket) => {
    const network = networkOf(socket);
    const ofClient = [...open.keys()].filter((client) => networkOf(client) === network);
    if (ofClient.length >= MAX_CONNECTIONS_OF_CLIENT) return void socket.destroy();
    const served = serveConnection(socket, { logger, limits, closing: closing.signal }, (client) =>
      createWyomingHandler(deps, apiKey, client),
    );
    open.set(socket, served);
    void served.finally(() => open.delete(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Before the service listens, so that a port in use stops the start.
  app.addHook('onReady', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(port, host, resolve);
    await promise;
    logger.info({ address: server.address() }, 'Wyoming has a port of its own');
  });
  app.addHook('preClose', async () => {
    server.close();
    closing.abort(new AppError('service_unavailable'));
    const late = setTimeout(() => Array.from(open.keys(), (socket) => socket.destroy()), CLOSING_MS);
    await Promise.all(open.values());
    clearTimeout(late);
  });
}

function networkOf({ remoteAddress = '' }: Socket): string {
  return clientNetwork(remoteAddress);
}
