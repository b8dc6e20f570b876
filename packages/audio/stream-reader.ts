import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { identifyContent, identifyMagic, type Identified } from './container.ts';

/** Reads a stream that arrives in messages, in pieces of any length. */
export type StreamReader = {
  /** Looks at the beginning until it is clear what it is. */
  identify(): Promise<Identified>;
  /** Up to `size` bytes, as soon as there are any; null at the end. */
  read(size: number): Promise<Buffer | null>;
  /** The next message; null at the end. */
  next(): Promise<Buffer | null>;
  isEnded(): boolean;
};

/** Unknown data is refused after so much of it: a frame of MP3 must have begun by then. */
const MAX_HEAD_BYTES = 16 * 1024;
const MAGIC_BYTES = 16;

/** An aborted signal ends the stream. */
export function createStreamReader(source: AsyncIterable<Uint8Array>, signal: AbortSignal): StreamReader {
  const messages = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let isEnded = false;

  const next = async (): Promise<Buffer | null> => {
    if (isEnded) return null;
    const message = await raceAbort(messages.next(), signal).catch((thrown: unknown) => {
      isEnded = true;
      if (signal.aborted) return null;
      throw thrown;
    });
    if (message === null || message.done === true) {
      isEnded = true;
      return null;
    }
    const { buffer, byteOffset, byteLength } = message.value;
    return Buffer.from(buffer, byteOffset, byteLength);
  };
  /** Adds messages until `size` bytes are held; false at the end. */
  const hold = async (size: number): Promise<boolean> => {
    while (held.length < size) {
      const message = await next();
      if (message === null) return false;
      held = Buffer.concat([held, message]);
    }
    return true;
  };

  return {
    async identify() {
      await hold(MAGIC_BYTES);
      const known = identifyMagic(held.toString('latin1', 0, MAGIC_BYTES));
      if (known !== null) return known;
      for (;;) {
        const isMore = await hold(Math.min(MAX_HEAD_BYTES, MAGIC_BYTES + held.length * 2));
        const identified = await identifyContent((offset, length) => held.subarray(offset, offset + length));
        if (identified.container !== null || !isMore || held.length >= MAX_HEAD_BYTES) return identified;
      }
    },
    async read(size) {
      // An empty message is no end.
      while (held.length === 0) {
        const message = await next();
        if (message === null) return null;
        held = message;
      }
      const piece = held.subarray(0, size);
      held = held.subarray(piece.length);
      return piece;
    },
    next,
    isEnded: () => isEnded && held.length === 0,
  };
}
