/** Long enough for the pauses of a healthy server. */
const INTERVAL_MS = 20_000;
/** In each interval, on average. */
const MIN_BYTES_PER_SECOND = 65_536;

type DownloadPace = Disposable & {
  /** Passes the download on. */
  count(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** Aborts when too little has arrived in an interval. */
  readonly signal: AbortSignal;
};

/**
 * Watches a download from before its request. Dispose of it at the end. A server that sends a byte
 * now and then is never silent, and would take hours.
 */
export function watchDownload(): DownloadPace {
  const slow = new AbortController();
  let arrivedBytes = 0;
  const interval = setInterval(() => {
    if (arrivedBytes < (MIN_BYTES_PER_SECOND * INTERVAL_MS) / 1_000) {
      slow.abort(new Error(`The server sent ${arrivedBytes} bytes in ${INTERVAL_MS / 1_000} s.`));
    }
    arrivedBytes = 0;
  }, INTERVAL_MS);
  return {
    async *count(chunks) {
      for await (const chunk of chunks) {
        arrivedBytes += chunk.length;
        yield chunk;
      }
    },
    signal: slow.signal,
    [Symbol.dispose]: () => clearInterval(interval),
  };
}
