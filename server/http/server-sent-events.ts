import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toAppError } from '@jyutsing/contracts/errors';
import { errorBody } from './errors.ts';

/** One event of a stream. Without a name it is a `message`, as the standard calls it; `data` becomes one line of JSON. */
export type ServerSentEvent = { name?: string; data: object };

/** Proxies cut connections on which nothing comes for a minute or so. */
const KEEP_ALIVE_EVERY_MS = 15_000;

/** For a route's `response`. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) and ends when they do.
 * What fails before the first event is thrown, so that the answer can still have its status, if it fails within the time of a
 * keep-alive; a later failure is an event `error` with the usual body, the last one.
 * `events` must end by itself when the client is gone.
 */
export async function replyWithEvents(
  events: AsyncGenerator<ServerSentEvent>,
  request: FastifyRequest,
  reply: FastifyReply,
  keepAliveEveryMs = KEEP_ALIVE_EVERY_MS,
): Promise<FastifyReply> {
  const first = events.next();
  await within(first, keepAliveEveryMs);
  return (
    reply
      .type(`${EVENT_STREAM_TYPE}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('x-accel-buffering', 'no')
      // A server that stops ends its streams, and would then wait for connections that are kept for further requests.
      .header('connection', 'close')
      .send(Readable.from(written(first, events, request, keepAliveEveryMs)))
  );
}

async function* written(
  first: Promise<IteratorResult<ServerSentEvent>>,
  events: AsyncGenerator<ServerSentEvent>,
  request: FastifyRequest,
  keepAliveEveryMs: number,
): AsyncGenerator<string> {
  let next = first;
  try {
    for (;;) {
      const settled = await within(next, keepAliveEveryMs);
      if (settled === null) {
        yield ': keep-alive\n\n';
        continue;
      }
      if (settled.done === true) return;
      yield writeEvent(settled.value);
      next = events.next();
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    const { code, cause } = error;
    // Whoever hung up knows it.
    if (code === 'client_closed_request') return;
    request.log.warn({ requestId: request.id, code, cause }, 'a stream ended with an error');
    yield writeEvent({ name: 'error', data: errorBody(error, request.id) });
  } finally {
    // The reader may have gone while an event was on its way.
    next.catch(() => {});
    void events.return(undefined).catch(() => {});
  }
}

/** As it is on the wire. JSON has no line breaks outside of its strings, where they are escaped. */
export function writeEvent({ name, data }: ServerSentEvent): string {
  const line = `data: ${JSON.stringify(data)}\n\n`;
  return name === undefined ? line : `event: ${name}\n${line}`;
}

/** What the promise gives, or null when it gives nothing in time. */
async function within<Value>(promise: Promise<Value>, timeMs: number): Promise<Value | null> {
  const timeUp = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeUp.resolve(null), timeMs);
  try {
    return await Promise.race([promise, timeUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}
