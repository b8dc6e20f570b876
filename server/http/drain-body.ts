import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a refused upload may go on sending before the connection is cut. */
const LINGER_MS = 10_000;

/**
 * Call before refusing a request whose body was not read to its end.
 *
 * Closing at once would lose the refusal: the kernel answers data that nobody reads with a reset, and the client sees
 * "connection reset" instead of the status. So the rest is read and thrown away for a while. Clients such as curl stop
 * sending when they see the status; who does not is cut off.
 */
export function lingerAfterReply(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  // Either of the two would make Node close the connection as soon as the reply is written: Fastify's own announcement for
  // bodies that are too large, and the wish of a client (or of a proxy in front) for no further request.
  reply.removeHeader('connection');
  const closes = !reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  // A client that breaks off now has had its answer; without a listener its reset would end the process.
  raw.on('error', () => {});
  raw.resume();
  const cut = setTimeout(() => raw.destroy(), LINGER_MS);
  cut.unref();
  raw.once('end', () => {
    if (closes) raw.socket.end();
  });
  raw.once('close', () => clearTimeout(cut));
}
