import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { identifyContent, type Identified } from './container.ts';
import { identifyMagic, MAGIC_BYTES, type MagicMatch } from './magic.ts';

/** Reads a stream that arrives in messages, in pieces of any length. */
export type StreamReader = {
  /** Identifies the container from as much of the beginning as that takes, without consuming it. */
  identify(): Promise<Identified | MagicMatch>;
  /** Returns up to `size` bytes as soon as there are any; null at the end. */
  read(size: number): Promise<Buffer | null>;
  /** Returns the next message; null at the end. */
  next(): Promise<Buffer | null>;
  isEnded(): boolean;
};

/** Limit for the beginning of unidentified data: a frame of MP3 must have begun by then. */
const MAX_HEAD_BYTES = 16 * 1024;

/** Creates a reader; an aborted signal ends the stream. */
export function createStreamReader(source: AsyncIterable<Uint8Array>, signal: AbortSignal): StreamReader {
  const messages = source[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
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
  /** Adds messages until `size` bytes are buffered; returns false at the end. */
  const hold = async (size: number): Promise<boolean> => {
    while (buffered.length < size) {
      const message = await next();
      if (message === null) return false;
      buffered = Buffer.concat([buffered, message]);
    }
    return true;
  };

  return {
    async identify() {
      await hold(MAGIC_BYTES);
      const identified = identifyMagic(buffered.toString('latin1', 0, MAGIC_BYTES));
      if (identified !== null) return identified;
      for (;;) {
        const isMore = await hold(Math.min(MAX_HEAD_BYTES, MAGIC_BYTES + buffered.length * 2));
        const identified = await identifyContent((offset, length) => buffered.subarray(offset, offset + length));
        if (identified.container !== null || !isMore || buffered.length >= MAX_HEAD_BYTES) return identified;
      }
    },
    async read(size) {
      // An empty message does not mean the end.
      while (buffered.length === 0) {
        const message = await next();
        if (message === null) return null;
        buffered = message;
      }
      const piece = buffered.subarray(0, size);
      buffered = buffered.subarray(piece.length);
      return piece;
    },
    next,
    isEnded: () => isEnded && buffered.length === 0,
  };
}
