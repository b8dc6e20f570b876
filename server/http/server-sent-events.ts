import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { errorBody, toAnswer } from './errors.ts';

/** One event of a stream; an event without a name is a `message`. `data` is sent as JSON. */
export type ServerSentEvent = { name?: string; data: object };

/** Proxies cut connections without data after about a minute. */
const KEEP_ALIVE_EVERY_MS = 15_000;

export const EVENT_STREAM_TYPE = 'text/event-stream';

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * Throws a failure before the first event, so that it has its own status, if it comes before the
 * first keep-alive; a later failure is sent as the last event, `error`, with the usual body.
 * `events` must end by itself when the client disconnects.
 */
export async function replyWithEvents(
  events: AsyncGenerator<ServerSentEvent>,
  request: FastifyRequest,
  reply: FastifyReply,
  keepAliveEveryMs = KEEP_ALIVE_EVERY_MS,
): Promise<FastifyReply> {
  const first = events.next();
  await withinTime(first, keepAliveEveryMs, () => null);
  return (
    reply
      .type(`${EVENT_STREAM_TYPE}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('x-accel-buffering', 'no')
      // Otherwise a stopping server would wait for connections kept for further requests.
      .header('connection', 'close')
      .send(Readable.from(serialize(first, events, request, keepAliveEveryMs)))
  );
}

async function* serialize(
  first: Promise<IteratorResult<ServerSentEvent>>,
  events: AsyncGenerator<ServerSentEvent>,
  request: FastifyRequest,
  keepAliveEveryMs: number,
): AsyncGenerator<string> {
  let next = first;
  try {
    for (;;) {
      const settled = await withinTime(next, keepAliveEveryMs, () => null);
      if (settled === null) {
        yield ': keep-alive\n\n';
        continue;
      }
      if (settled.done === true) return;
      yield writeEvent(settled.value);
      next = events.next();
    }
  } catch (thrown) {
    const error = toAnswer(thrown);
    const { code, cause } = error;
    if (code === 'client_closed_request') return;
    request.log.warn({ requestId: request.id, code, cause }, 'event stream failed');
    yield writeEvent({ name: 'error', data: errorBody(error, request.id) });
  } finally {
    // The client may disconnect while the next event is awaited.
    next.catch(() => {});
    void events.return(undefined).catch(() => {});
  }
}

/**
 * Characters that JSON leaves raw, and that `iter_lines` of Python's httpx (0.28.1) and requests
 * (2.34.2, with `decode_unicode`) take for line ends, though the standard does not.
 */
const UNICODE_LINE_END = /[\u0085\u2028\u2029]/g;

/** The wire format; `data` is one line, however a client divides lines. */
export function writeEvent({ name, data }: ServerSentEvent): string {
  const json = JSON.stringify(data).replaceAll(
    UNICODE_LINE_END,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const line = `data: ${json}\n\n`;
  return name === undefined ? line : `event: ${name}\n${line}`;
}
