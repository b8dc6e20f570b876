import type { RawData, WebSocket } from 'ws';
import type { FastifyInstance } from 'fastify';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { withinTime } from '@jyutsing/concurrency/within-time';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { logError, toAnswer } from '#http/errors.ts';
import type { Logger } from '#telemetry/logger.ts';

/** How one protocol answers one client. */
export type LiveProtocol = AsyncDisposable & {
  /** Messages come one at a time; what it throws ends the connection. */
  receive(message: Buffer, isBinary: boolean): Promise<void> | void;
  /** Sends what is still recognized of the sound so far. */
  finish(): Promise<void>;
  /** Tells the client why the connection ends. */
  refuse(error: AppError): void;
};

export type LiveSocket = {
  /** Sends a JSON message. A client that reads too little gets no more, and is disconnected. */
  send(message: object): void;
  /**
   * Sends sound; resolves when it was handed to the operating system, so that a slow client is
   * waited for. Does nothing when the connection is closed.
   */
  sendSound(bytes: Uint8Array): Promise<void>;
  /** Lets the last words arrive, tells the client why, and closes. */
  fail(thrown: unknown): void;
  /** Lets the last words arrive and closes in order. */
  close(): void;
};

export type LiveConnections = {
  /** Serves a client until either side closes. */
  serve(socket: WebSocket, requestId: string, create: (connection: LiveSocket) => LiveProtocol): void;
};

/** Limits of a connection in milliseconds and bytes. */
type LiveLimits = {
  /** A connection without any message for this long is closed. */
  idleMs: number;
  /** A client that answers no ping within this time is gone. */
  pingMs: number;
  /** Time for the last words when the connection ends with an error. */
  finishMs: number;
  /** The same when its key was revoked. */
  refusedMs: number;
  /** The same when the client has ended its sound: a busy service may be behind. */
  lastWordsMs: number;
  /** Messages that a client has not read. */
  maxUnreadBytes: number;
};

const LIVE_LIMITS: LiveLimits = {
  idleMs: 10 * 60_000,
  pingMs: 30_000,
  finishMs: 5_000,
  refusedMs: 500,
  lastWordsMs: 60_000,
  maxUnreadBytes: 4 * 1024 ** 2,
};

const NORMAL = 1000;
const GOING_AWAY = 1001;
const REFUSED = 1008;
const SERVER_ERROR = 1011;
/** How long a client may take to answer a close. */
const CLOSE_MS = 1_000;

/** Tracks the connections of a server and ends them in order when it closes. */
export function createLiveConnections(
  app: FastifyInstance,
  logger: Logger,
  limits: LiveLimits = LIVE_LIMITS,
): LiveConnections {
  const open = new Map<WebSocket, ServedClient & { closed: Promise<void> }>();
  app.addHook('preClose', async () => {
    const all = [...open.values()];
    for (const client of all) client.goAway();
    await Promise.all(all.map(({ closed }) => closed));
  });
  return {
    serve(socket, requestId, create) {
      const closed = Promise.withResolvers<void>();
      const client = serveSocket(socket, create, { requestId, logger, limits });
      open.set(socket, { ...client, closed: closed.promise });
      socket.once('close', () => {
        open.delete(socket);
        closed.resolve();
      });
    },
  };
}

type SocketContext = { requestId: string; logger: Logger; limits: LiveLimits };

type ServedClient = {
  /**
   * The server closes: lets the last words arrive and tells the client, unless it has ended in
   * order and gets all of them in time.
   */
  goAway(): void;
};

function serveSocket(
  socket: WebSocket,
  create: (connection: LiveSocket) => LiveProtocol,
  { requestId, logger, limits }: SocketContext,
): ServedClient {
  let isEnding = false;
  /** The failure that happened while the last words were awaited. */
  let failure: AppError | null = null;
  const interruption = Promise.withResolvers<AppError>();
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  };
  const interrupt = (reason: AppError) => setTimeout(() => interruption.resolve(reason), limits.finishMs).unref();
  const end = async (reason: AppError | null) => {
    if (isEnding) {
      failure ??= reason;
      if (reason !== null) interrupt(reason);
      return;
    }
    isEnding = true;
    const waitMs = reason === null ? limits.lastWordsMs : reason.status === 401 ? limits.refusedMs : limits.finishMs;
    const unfinished = await finishWithin(protocol, waitMs, interruption.promise);
    const error = reason ?? failure ?? unfinished;
    if (error !== null) {
      logError(error, { id: requestId, log: logger as never });
      protocol.refuse(error);
    }
    close(error === null ? NORMAL : closeCodeOf(error.code), error?.code ?? '');
  };
  const connection: LiveSocket = {
    send(message) {
      if (socket.bufferedAmount <= limits.maxUnreadBytes) return socket.send(JSON.stringify(message));
      if (socket.readyState !== socket.OPEN) return;
      // The last words would not arrive either.
      isEnding = true;
      close(REFUSED, 'request_timeout');
    },
    async sendSound(bytes) {
      if (socket.readyState !== socket.OPEN) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      // The callback of a connection that breaks meanwhile has an error, which its close reports.
      socket.send(bytes, { binary: true }, () => resolve());
      await promise;
    },
    fail: (thrown) => void end(toAnswer(thrown)),
    close: () => void end(null),
  };
  const protocol = create(connection);
  const idle = watchIdle(socket, limits, () => connection.fail(idleError()));
  receiveInTurn(socket, async (message, isBinary) => {
    idle.reset();
    if (isEnding) return;
    try {
      await protocol.receive(message, isBinary);
    } catch (thrown) {
      connection.fail(thrown);
    }
  });
  // A broken frame; ws closes the connection with the right code itself.
  socket.on('error', () => {});
  socket.once('close', () => {
    idle.stop();
    void protocol[Symbol.asyncDispose]();
  });
  return {
    goAway() {
      const reason = new AppError('service_unavailable');
      // An end in progress has not failed, as it may still complete.
      if (isEnding) interrupt(reason);
      else void end(reason);
    },
  };
}

/**
 * The socket is paused during a message, so that a client that floods fills its own memory; other
 * requests have their turn between messages.
 */
function receiveInTurn(socket: WebSocket, handle: (message: Buffer, isBinary: boolean) => Promise<void>): void {
  let last = Promise.resolve();
  let unhandled = 0;
  socket.on('message', (data: RawData, isBinary: boolean) => {
    unhandled += 1;
    socket.pause();
    last = last
      .then(() => handle(data as Buffer, isBinary))
      .then(yieldToEventLoop)
      .then(() => {
        unhandled -= 1;
        if (unhandled === 0) socket.resume();
      });
  });
}

/** Closes idle connections, and those that no longer answer pings. */
function watchIdle(socket: WebSocket, { idleMs, pingMs }: LiveLimits, onIdle: () => void) {
  let messageAtMs = performance.now();
  let isAnswered = true;
  socket.on('pong', () => (isAnswered = true));
  const timer = setInterval(() => {
    // A paused socket does not see the answers.
    if (!isAnswered && !socket.isPaused) return socket.terminate();
    isAnswered = socket.isPaused;
    socket.ping();
    if (performance.now() - messageAtMs > idleMs) onIdle();
  }, pingMs);
  timer.unref();
  return { reset: () => void (messageAtMs = performance.now()), stop: () => clearInterval(timer) };
}

function idleError(): AppError {
  return new AppError('request_timeout', 'The connection was closed because no message arrived for a long time.');
}

function closeCodeOf(code: ErrorCode): number {
  if (code === 'service_unavailable') return GOING_AWAY;
  return new AppError(code).status < 500 ? REFUSED : SERVER_ERROR;
}

function lateWords(): AppError {
  return new AppError('timed_out', 'The last words were not recognized in time.');
}

/** Waits for the last words, at most until `interruption`; returns why they did not all arrive. */
async function finishWithin(
  protocol: LiveProtocol,
  ms: number,
  interruption: Promise<AppError>,
): Promise<AppError | null> {
  try {
    const finished = protocol.finish().then(() => null);
    return await withinTime(Promise.race([finished, interruption]), ms, lateWords);
  } catch (thrown) {
    return toAnswer(thrown);
  }
}
