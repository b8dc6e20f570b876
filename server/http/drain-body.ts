import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusedBytes } from './throttle.ts';

/** How long an answered request may continue to send before the connection is cut. */
const LINGER_MS = 10_000;

/**
 * With so many refused clients that a chunk would wait this long, they are not waited for: each one
 * holds a chunk in memory.
 */
const MAX_BACKLOG_MS = 250;
/** Until then the answer of a client that is not waited for has left. */
const ANSWER_MS = 100;

const drained = new WeakSet<IncomingMessage>();

/**
 * Reads and discards the rest of a request body. Call before each answer.
 *
 * Closing at once would lose the refusal: the kernel resets a connection with unread data, and the
 * client sees "connection reset" instead of the status. Clients such as curl stop sending when they
 * see the status; others are cut off after a while. Reads no faster than the throttle allows, so
 * that refused uploads leave the processor to others.
 */
export function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed || drained.has(raw)) return;
  drained.add(raw);
  raw.unpipe();
  // Node would close the connection with the reply for either of these: the header that Fastify
  // sets for too large bodies, and a client or proxy that asked to close it.
  reply.removeHeader('connection');
  const closes = !reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  // Without a listener, the reset of a client that disconnects now would end the process.
  raw.on('error', () => {});
  const { socket } = raw;
  const cut = () => void raw.destroy();
  raw.on('data', (chunk: Buffer) => {
    const isTooMuch = refusedBytes.backlogMs() > MAX_BACKLOG_MS;
    const wait = isTooMuch ? sleep(ANSWER_MS, undefined, { ref: false }) : refusedBytes.take(chunk.length);
    if (wait === null) return;
    raw.pause();
    void wait.then(() => (isTooMuch ? cut() : raw.resume()));
  });
  raw.resume();
  const timer = setTimeout(cut, LINGER_MS).unref();
  // Node tells an answered request nothing of its lost connection: it would stay in memory, with
  // the fields of its form, until the time is up.
  socket.once('close', cut);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', cut);
  };
  raw.once('close', stop).once('end', () => {
    stop();
    if (closes) socket.end();
  });
}
