import type { IncomingMessage } from 'node:http';
import { AppError } from '@jyutsing/contracts/errors';

/** How fast a request body must arrive. */
export type BodyPace = {
  /** In each interval of this length the body must bring `minBytesPerSecond` on average. */
  intervalMs: number;
  minBytesPerSecond: number;
  /** From the headers to the last byte. */
  wholeMs: number;
};

/** Watches a body that is being read. Dispose of it when the body is complete or refused. */
type WatchedPace = Disposable & {
  /**
   * Aborts with `request_timeout` when the body is too slow or takes too long, and with
   * `client_closed_request` when its connection ends before it was read: a parser may go on
   * waiting.
   */
  readonly signal: AbortSignal;
};

/**
 * Counts the bytes of the socket, so that nothing has to listen to the body itself. A body that
 * stops counts as slow, unless what has arrived of it still waits to be read: then it is this
 * server that is slow, or its disk or database.
 */
export function watchPace(request: IncomingMessage, { intervalMs, minBytesPerSecond, wholeMs }: BodyPace): WatchedPace {
  const { socket } = request;
  const stop = new AbortController();
  const tooSlow = (message?: string) => stop.abort(new AppError('request_timeout', message));
  let before = socket.bytesRead;
  const isSlow = () =>
    !request.complete &&
    request.readableLength === 0 &&
    socket.bytesRead - before < (minBytesPerSecond * intervalMs) / 1_000;
  let rechecking: NodeJS.Immediate | undefined;
  const interval = setInterval(() => {
    // Bytes that arrived while this process did not run are read after the timers.
    rechecking = setImmediate(() => {
      if (isSlow()) tooSlow();
      before = socket.bytesRead;
    });
  }, intervalMs);
  const whole = setTimeout(
    () => tooSlow('The request took too long to arrive; send a shorter or compressed recording.'),
    wholeMs,
  );
  // Node destroys the request, so bytes that arrived and were not read are lost.
  const closed = () => {
    if (!request.readableEnded) stop.abort(new AppError('client_closed_request'));
  };
  socket.once('close', closed);
  if (socket.destroyed) closed();
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      socket.off('close', closed);
      clearInterval(interval);
      clearImmediate(rechecking);
      clearTimeout(whole);
    },
  };
}
