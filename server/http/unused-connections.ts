import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A request follows its connection within this time, or much later. */
const FIRST_BYTE_MS = 500;

/**
 * Destroys connections without any request when the server closes. Clients and proxies open them in
 * advance; Node treats them as busy, and closing would wait a minute for them. Until the last
 * connection has ended, new ones have a moment for their request.
 */
export function dropUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (isClosing) dropLater(socket);
  });
  app.addHook('preClose', (done) => {
    isClosing = true;
    for (const socket of open) dropUnused(socket);
    done();
  });
}

function dropLater(socket: Socket): void {
  const timer = setTimeout(() => dropUnused(socket), FIRST_BYTE_MS);
  socket.once('close', () => clearTimeout(timer));
}

function dropUnused(socket: Socket): void {
  if (socket.bytesRead === 0) socket.destroy();
}
