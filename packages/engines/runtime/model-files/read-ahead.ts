/** A buffered body, which can be read once. */
export type ReadAhead = AsyncIterable<Uint8Array> & {
  /** Returns true while reading from the network is paused because the consumer is slower. */
  isFull(): boolean;
};

/**
 * Reads a body from the network immediately, up to `limitBytes` ahead of its consumer, and yields
 * all received bytes before it throws a failure. `fetch` alone discards unread bytes when a
 * connection breaks, so connections that break early and often would make no progress. Calls
 * `onChunk` with the length of every chunk.
 */
export function readAhead(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
  onChunk: (bytes: number) => void,
): ReadAhead {
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let end: { failure: unknown } | null = null;
  let isAbandoned = false;
  let wakeReader: (() => void) | null = null;
  let wakePump: (() => void) | null = null;

  const isFull = () => queuedBytes > limitBytes && !isAbandoned;

  const pump = async (): Promise<void> => {
    let failure: unknown = null;
    try {
      for await (const chunk of body) {
        onChunk(chunk.length);
        queue.push(chunk);
        queuedBytes += chunk.length;
        wakeReader?.();
        // The loop wakes up whenever the consumer takes a chunk, and checks again whether there is
        // space.
        while (isFull()) {
          await new Promise<void>((resolve) => {
            wakePump = resolve;
          });
        }
        if (isAbandoned) break;
      }
    } catch (thrown) {
      failure = thrown;
    }
    end = { failure };
    wakeReader?.();
  };
  void pump();

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
          queuedBytes -= chunk.length;
          wakePump?.();
          yield chunk;
        }
        if (end !== null) break;
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      if (end.failure !== null) throw end.failure;
    } finally {
      isAbandoned = true;
      wakePump?.();
    }
  }
  return { [Symbol.asyncIterator]: read, isFull };
}
