import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { logError, toAnswer } from '#http/errors.ts';
import type { Logger } from '#telemetry/logger.ts';
import { EVENT_LIMITS, readEvents, writeEvent, type EventLimits, type WyomingEvent } from './events.ts';

export type WyomingLimits = EventLimits & {
  /** A client that reads nothing for this long is disconnected. */
  stalledMs: number;
};

export const WYOMING_LIMITS: WyomingLimits = { ...EVENT_LIMITS, stalledMs: 60_000 };

/** The client of a connection. */
export type WyomingClient = {
  readonly socket: Socket;
  /** Aborts when the client has left, or stalls. */
  readonly signal: AbortSignal;
  /** Ends the connection with an error. */
  fail(thrown: unknown): void;
  /** Resolves when the client has read most of it. Throws the reason of `signal`. */
  send(type: string, data?: object, payload?: Uint8Array): Promise<void>;
};

/** Answers the events of one client one after the other; what it throws ends the connection. */
export type WyomingHandler = AsyncDisposable & { handle(event: WyomingEvent): Promise<void> };

type ConnectionDeps = { logger: Logger; limits: WyomingLimits; closing: AbortSignal };

/** How long the last bytes may take to reach a client. */
const CLOSE_MS = 2_000;

/**
 * Serves a client until either side ends. The socket is read only between events, so a client that
 * floods fills its own memory.
 */
export async function serveConnection(
  socket: Socket,
  { logger, limits, closing }: ConnectionDeps,
  create: (client: WyomingClient) => WyomingHandler,
): Promise<void> {
  const failed = new AbortController();
  const client = watchClient(socket, limits.stalledMs, (thrown) => failed.abort(thrown));
  try {
    await using handler = create(client);
    const chunks = socket.iterator({ destroyOnReturn: false });
    const ended = AbortSignal.any([client.signal, failed.signal, closing]);
    for await (const event of readEvents(chunks, limits, ended)) {
      await handler.handle(event);
      await yieldToEventLoop();
    }
  } catch (thrown) {
    const error = client.signal.aborted ? new AppError('client_closed_request') : toAnswer(thrown);
    logError(error, { id: randomUUID(), log: logger as never });
    // Clients wait for an answer that will not come, so the connection ends.
    await client.send('error', { text: error.message, code: error.code }).catch(() => {});
  }
  await close(socket);
}

function watchClient(socket: Socket, stalledMs: number, fail: WyomingClient['fail']): WyomingClient {
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError('client_closed_request'));
  socket.once('close', leave);
  // A broken connection; it closes next.
  socket.on('error', () => {});
  return {
    socket,
    signal: gone.signal,
    fail,
    async send(type, data, payload) {
      gone.signal.throwIfAborted();
      if (socket.write(writeEvent(type, data, payload))) return;
      const stalled = setTimeout(() => socket.destroy(), stalledMs);
      try {
        await once(socket, 'drain', { signal: gone.signal });
      } catch {
        throw gone.signal.reason;
      } finally {
        clearTimeout(stalled);
      }
    },
  };
}

/** Lets the client receive what was sent. */
async function close(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const late = setTimeout(() => socket.destroy(), CLOSE_MS);
  const closed = once(socket, 'close').catch(() => {});
  // Reading discards bytes that the client still sends: an unread byte would make the system drop
  // the last answer.
  socket.resume().end();
  await closed;
  clearTimeout(late);
}
