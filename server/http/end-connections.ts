import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A request follows its connection, or the one before it, within this time or much later. */
const NEXT_REQUEST_MS = 500;
const CHECK_EVERY_MS = 100;

/** `freeSinceMs` is when its last request ended; null while one runs. */
type Connection = { socket: Socket; freeSinceMs: number | null };

/**
 * Ends connections without a running request while the server closes. Node ends only those that
 * are idle at that moment: it would wait 72 seconds for others to time out after their response,
 * and without limit for half a request. Clients and proxies also open connections in advance,
 * which Node treats as busy. Connections that became WebSockets are left alone.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  /** By the client's address: with TLS, requests have another socket than the connection. */
  const connections = new Map<string, Connection>();
  app.server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    connections.set(address, { socket, freeSinceMs: performance.now() });
    socket.once('close', () => connections.delete(address));
  });
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(addressOf(socket));
    if (connection === undefined) return;
    connection.freeSinceMs = null;
    response.once('close', () => (connection.freeSinceMs = performance.now()));
  });
  app.server.on('upgrade', ({ socket }: IncomingMessage) => connections.delete(addressOf(socket)));
  app.addHook('preClose', (done) => {
    for (const { socket } of connections.values()) if (socket.bytesRead === 0) socket.destroy();
    const timer = setInterval(() => {
      const latestMs = performance.now() - NEXT_REQUEST_MS;
      for (const { socket, freeSinceMs } of connections.values())
        if (freeSinceMs !== null && freeSinceMs <= latestMs) socket.destroy();
    }, CHECK_EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
    done();
  });
}

const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
