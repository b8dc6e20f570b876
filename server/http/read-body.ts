import type { IncomingMessage } from 'node:http';
import { AppError } from '@jyutsing/contracts/errors';
import { watchPace, type BodyPace } from './body-pace.ts';

/** A body that is read in steps, because most of it may only be read when its key is known. */
type BodyStart = {
  /**
   * Reads on until the body ends or more than `maxBytes` of it were read; the rest stays unread.
   * Returns everything read so far. Throws `request_timeout` or `client_closed_request`.
   */
  readTo(maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }>;
};

export function openBody(raw: IncomingMessage, pace: BodyPace): BodyStart {
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  return {
    async readTo(maxBytes) {
      // The last chunk of a body that was buffered ends the request between two steps.
      isWhole ||= raw.readableEnded;
      if (!isWhole && length <= maxBytes) {
        using watched = watchPace(raw, pace);
        isWhole = await readOn(raw, watched.signal, (chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          return length > maxBytes;
        });
      }
      return { bytes: Buffer.concat(chunks), isWhole };
    },
  };
}

/** Passes on chunks until `take` returns true. Returns whether the body ended. */
function readOn(raw: IncomingMessage, signal: AbortSignal, take: (chunk: Buffer) => boolean): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const onData = (chunk: Buffer) => {
    if (!take(chunk)) return;
    // Without `pause` the flowing stream would lose its data, as it has no listener.
    raw.pause();
    resolve(false);
  };
  const onEnd = () => resolve(true);
  const onClose = () => reject(new AppError('client_closed_request'));
  const onAbort = () => {
    raw.pause();
    reject(signal.reason);
  };
  raw.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  signal.addEventListener('abort', onAbort);
  if (raw.destroyed && !raw.readableEnded) onClose();
  raw.resume();
  return promise.finally(() => {
    raw.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  });
}
