import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { withinTime } from '@jyutsing/concurrency/within-time';

/** Time limits of an answer in milliseconds. */
export type ConnectionLimits = {
  /** A client that reads nothing for this long is disconnected. */
  stalledAfterMs: number;
  /** From the request to the last byte; a slower client holds quota, memory and a worker. */
  wholeMs: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = { stalledAfterMs: 5 * 60_000, wholeMs: 55 * 60_000 };

/** Names in lower case. */
type AnswerHeaders = Readonly<Record<string, string | number>>;

/** The client of a request whose answer is charged or long. Dispose of it after the request. */
export type ClientConnection = Disposable & {
  /** Aborts when the client disconnects, stalls or takes too long, or when the server closes. */
  readonly signal: AbortSignal;
  /** Whether the client ended the request: it disconnected, or did not read what was sent. */
  hasLeft(): boolean;
  /**
   * Answers 200 with these chunks; resolves when the last byte was handed to the operating system.
   * Sends nothing before the first chunk, so that an earlier failure can have its own status. Waits
   * for slow clients, so that only one chunk and the socket's buffer are in memory. A later failure
   * cuts the connection, so that no client mistakes a part for the whole. Throws the error of the
   * chunks or the reason of `signal`; ends the chunks in any case.
   */
  send(headers: AnswerHeaders, chunks: AsyncIterable<string | Uint8Array>): Promise<void>;
};

/** How long a closing server waits for open connections after its features have drained. */
const CLOSING_GRACE_MS = 2_000;

/** How long data that was written before a failure may take to reach the client. */
const LAST_WRITE_MS = 1_000;

/** Starts to watch the client of a request. */
export type OpenConnection = (reply: FastifyReply) => ClientConnection;

/** Tracks the connections of a server and ends them when it closes. Call before adding routes. */
export function createConnections(app: FastifyInstance, limits = CONNECTION_LIMITS): OpenConnection {
  const open = new Set<ClientConnection>();
  const closing = new AbortController();
  let isClosing = false;
  const empty = Promise.withResolvers<void>();
  app.addHook('preClose', async () => {
    isClosing = true;
    const grace = setTimeout(empty.resolve, CLOSING_GRACE_MS);
    if (open.size > 0) await empty.promise;
    clearTimeout(grace);
    closing.abort(new AppError('service_unavailable'));
  });
  return (reply) => {
    const connection = createConnection(reply, limits, closing.signal);
    const tracked = {
      ...connection,
      [Symbol.dispose]() {
        connection[Symbol.dispose]();
        open.delete(tracked);
        if (isClosing && open.size === 0) empty.resolve();
      },
    };
    open.add(tracked);
    return tracked;
  };
}

function createConnection(
  reply: FastifyReply,
  { stalledAfterMs, wholeMs }: ConnectionLimits,
  closing: AbortSignal,
): ClientConnection {
  const { raw } = reply;
  const ended = new AbortController();
  let waitsForClient = false;
  const leave = () => {
    if (!raw.writableFinished) ended.abort(new AppError('client_closed_request'));
  };
  const timeOut = () => ended.abort(new AppError(waitsForClient ? 'client_closed_request' : 'timed_out'));
  const close = () => ended.abort(closing.reason);
  const whole = setTimeout(timeOut, wholeMs);
  raw.once('close', leave);
  closing.addEventListener('abort', close, { once: true });
  // The client may have left before.
  if (raw.destroyed) leave();
  if (closing.aborted) close();

  const untilRead = async (event: 'drain' | 'finish') => {
    waitsForClient = true;
    const stalled = setTimeout(timeOut, stalledAfterMs);
    try {
      await onceOrAborted(raw, event, ended.signal);
    } finally {
      clearTimeout(stalled);
      waitsForClient = false;
    }
  };

  const begin = (headers: AnswerHeaders) => {
    reply.hijack();
    // A broken connection emits this during a write; `signal` reports it.
    raw.on('error', leave);
    raw.writeHead(200, { ...hookHeaders(reply), ...headers });
  };

  return {
    signal: ended.signal,
    hasLeft: () => isClosedByClient(ended.signal),
    async send(headers, chunks) {
      let lastSent = Promise.resolve();
      try {
        for await (const chunk of chunks) {
          ended.signal.throwIfAborted();
          if (!raw.headersSent) begin(headers);
          const bodySent = Promise.withResolvers<void>();
          lastSent = bodySent.promise;
          if (!raw.write(chunk, () => bodySent.resolve())) await untilRead('drain');
        }
        ended.signal.throwIfAborted();
        if (!raw.headersSent) begin(headers);
        raw.end();
        if (!raw.writableFinished) await untilRead('finish');
      } catch (failure) {
        if (!raw.headersSent) throw failure;
        // Let the client receive what was sent before the failure.
        if (!ended.signal.aborted) await withinTime(lastSent, LAST_WRITE_MS, () => {});
        // `end` would complete the encoding: its missing last chunk shows that the answer is
        // incomplete.
        raw.destroy();
        throw failure;
      }
    },
    [Symbol.dispose]() {
      clearTimeout(whole);
      raw.off('close', leave);
      closing.removeEventListener('abort', close);
    },
  };
}

/** The headers of the hooks, which a hijacked reply does not send. */
function hookHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) headers[name] = value;
  return headers;
}

function isClosedByClient({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'client_closed_request';
}

/** Removes its listeners, because a slow stream waits thousands of times. */
async function onceOrAborted(raw: ServerResponse, event: 'drain' | 'finish', signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  raw.once(event, resolve);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await promise;
  } finally {
    raw.off(event, resolve);
    signal.removeEventListener('abort', abort);
  }
}

/** Aborts when the client disconnects before its answer, to stop waiting; the job continues. */
export function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError('client_closed_request'));
  raw.once('close', () => {
    if (!raw.writableFinished) leave();
  });
  if (raw.destroyed) leave();
  return gone.signal;
}
