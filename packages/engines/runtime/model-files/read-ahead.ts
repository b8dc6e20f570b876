/** What came of a body so far, to be read once. */
export type ReadAhead = AsyncIterable<Uint8Array> & {
  /** Whether nothing is taken from the network because the reader is slower. */
  isFull(): boolean;
};

/**
 * Takes a body from the network as it comes, from now on, up to `limitBytes` ahead of its reader, and gives the reader all that came
 * before it gives him the failure. `fetch` alone throws away what was not yet read when a connection breaks, so that connections which
 * break early and often would bring nothing at all. `onChunk` is told of every arrival.
 */
export function readAhead(body: AsyncIterable<Uint8Array>, limitBytes: number, onChunk: () => void): ReadAhead {
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let end: { failure: unknown } | null = null;
  let left = false;
  let wakeReader: (() => void) | null = null;
  let wakePump: (() => void) | null = null;

  const isFull = () => queuedBytes > limitBytes && !left;

  const pump = async (): Promise<void> => {
    let failure: unknown = null;
    try {
      for await (const chunk of body) {
        onChunk();
        queue.push(chunk);
        queuedBytes += chunk.length;
        wakeReader?.();
        // Woken at every step of the reader; asks again whether there is room by now.
        while (isFull()) {
          await new Promise<void>((resolve) => {
            wakePump = resolve;
          });
        }
        if (left) break;
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
      left = true;
      wakePump?.();
    }
  }
  return { [Symbol.asyncIterator]: read, isFull };
}
