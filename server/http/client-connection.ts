import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { logError } from './errors.ts';

/** How long an answer may take. Milliseconds. */
export type ListeningLimits = {
  /** A client that takes nothing for so long is cut off. */
  stalledAfterMs: number;
  /** From the request to the last byte: who takes longer holds quota, memory and perhaps a process for nothing. */
  wholeMs: number;
};

export const LISTENING_LIMITS: ListeningLimits = { stalledAfterMs: 5 * 60_000, wholeMs: 55 * 60_000 };

/** What is sent before the first byte; names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | number>>;

/** The client of one request whose answer is charged or long. Dispose of it when the request is over. */
export type Listener = Disposable & {
  /** Aborts at once when the client has gone, has stalled or took too long, or the server closes. */
  readonly signal: AbortSignal;
  /**
   * Whether the request ended by the client's own doing, so that its work was not in vain: it has gone, or did not take what there was.
   */
  hasLeft(): boolean;
  /**
   * Answers 200 with these chunks and resolves when the last byte has left this process. Nothing is sent before the first chunk is there:
   * what fails before it can still be answered. Waits for the client whenever it is slow, so that no more than one chunk and what a socket
   * holds lie in memory. When the chunks fail later, the connection is cut, so that a client never takes a part for the whole. Throws what
   * they threw, or the reason of `signal`; the chunks are ended in any case.
   */
  send(headers: AnswerHeaders, chunks: AsyncIterable<string | Uint8Array>): Promise<void>;
};

/** One such request and who sent it. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply; listener: Listener };

/** How long a server that closes waits for what is on its way, before it cuts it off: its features have drained by then. */
const CLOSING_GRACE_MS = 2_000;

/** How long what was made before a failure may take to reach the client. */
const FAREWELL_MS = 1_000;

/** Begins to watch the client of a request. */
export type OpenListener = (reply: FastifyReply) => Listener;

/** Makes the listeners of a server, and ends them when it closes. Call it for the whole server, before its routes. */
export function createListeners(app: FastifyInstance, limits = LISTENING_LIMITS): OpenListener {
  const open = new Set<Listener>();
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
    const listener = createListener(reply, limits, closing.signal);
    const own = {
      ...listener,
      [Symbol.dispose]() {
        listener[Symbol.dispose]();
        open.delete(own);
        if (isClosing && open.size === 0) empty.resolve();
      },
    };
    open.add(own);
    return own;
  };
}

/** Call before anything is waited for: a client may go at any time. */
export function createListener(
  reply: FastifyReply,
  { stalledAfterMs, wholeMs }: ListeningLimits,
  closing: AbortSignal,
): Listener {
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
  if (raw.destroyed) leave();
  if (closing.aborted) close();

  const untilTaken = async (event: 'drain' | 'finish') => {
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
    // A connection that breaks under a write says so here; the signal tells the same.
    raw.on('error', leave);
    raw.writeHead(200, { ...textHeaders(reply), ...headers });
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
          const sent = Promise.withResolvers<void>();
          lastSent = sent.promise;
          if (!raw.write(chunk, () => sent.resolve())) await untilTaken('drain');
        }
        ended.signal.throwIfAborted();
        if (!raw.headersSent) begin(headers);
        raw.end();
        if (!raw.writableFinished) await untilTaken('finish');
      } catch (failure) {
        if (!raw.headersSent) throw failure;
        // What was made is the client's, and its headers tell that it was accepted.
        if (!ended.signal.aborted) await Promise.race([lastSent, sleep(FAREWELL_MS, undefined, { ref: false })]);
        // Not `end`: without the last, empty chunk of the encoding the client knows that something is missing.
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

/** The headers that hooks have set, which a hijacked reply does not send by itself. */
function textHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) headers[name] = value;
  return headers;
}

function isClosedByClient({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'client_closed_request';
}

/** Leaves no listener behind, whichever comes first; a stream that is slow waits thousands of times. */
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

/**
 * Serves such a request. What fails once the answer has begun can no longer be answered: the connection was cut, and the log is told.
 */
export async function listening(
  { request, reply, openListener }: { request: FastifyRequest; reply: FastifyReply; openListener: OpenListener },
  serve: (listener: Listener) => Promise<void>,
): Promise<FastifyReply> {
  using listener = openListener(reply);
  try {
    await serve(listener);
  } catch (failure) {
    if (!reply.raw.headersSent) throw failure;
    logError(toAppError(failure), request);
  }
  return reply;
}
