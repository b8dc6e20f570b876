import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a refused upload may continue before the connection is cut. */
const LINGER_MS = 10_000;

/**
 * Reads and discards the rest of a request body. Call before refusing a request early.
 *
 * Closing at once would lose the refusal: the kernel resets a connection with unread data, and the
 * client sees "connection reset" instead of the status. Clients such as curl stop sending when they
 * see the status; others are cut off after a while.
 */
export function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  // Node would close the connection with the reply for either of these: the header that Fastify
  // sets for too large bodies, and a client or proxy that asked to close it.
  reply.removeHeader('connection');
  const closes = !reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  // Without a listener, the reset of a client that disconnects now would end the process.
  raw.on('error', () => {});
  raw.resume();
  const cut = setTimeout(() => raw.destroy(), LINGER_MS);
  cut.unref();
  raw.once('end', () => {
    if (closes) raw.socket.end();
  });
  raw.once('close', () => clearTimeout(cut));
}
