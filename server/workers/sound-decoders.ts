import type { StreamFormat } from '@jyutsing/audio/decode-stream';
import { createFlowWindow } from '@jyutsing/concurrency/flow-window';
import { AppError } from '@jyutsing/contracts/errors';
import type { DecodeMessage } from './decode-messages.ts';
import { decodeLive } from './tasks/decode-live.ts';
import type { WorkerPools } from './worker-pools.ts';

/** The decoder of one compressed live stream, in a process of its own. */
export type SoundDecoder = {
  /** Resolves when more may follow. After the end it does nothing. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the sound of everything written so far was read. */
  settled(): Promise<void>;
  end(): void;
  /**
   * Mono sound for a recognizer, to be read once. Throws `unsupported_audio_format`,
   * `corrupt_audio`, `engine_failed` and `service_unavailable` (too many streams).
   */
  readonly sound: AsyncIterable<Float32Array>;
};

export type SoundDecoders = {
  /** An aborted signal ends the decoder. One account has at most half of all decoders. */
  open(format: StreamFormat, accountId: string, signal: AbortSignal): SoundDecoder;
};

/** Bytes that the decoder has not yet taken, after which `write` waits: many seconds of sound. */
const MAX_AHEAD_BYTES = 256 * 1024;
/** The longest message; one Opus packet is far smaller. */
const MESSAGE_BYTES = 64 * 1024;

/** `maxStreams` may be decoded at a time: each has a process. */
export function createSoundDecoders(pools: Pick<WorkerPools, 'connect'>, maxStreams: number): SoundDecoders {
  const streams = new Map<string, number>();
  const count = (accountId: string, change: 1 | -1) => {
    const left = (streams.get(accountId) ?? 0) + change;
    if (left === 0) streams.delete(accountId);
    else streams.set(accountId, left);
  };
  return {
    open(format, accountId, signal) {
      const closed = new AbortController();
      const stop = AbortSignal.any([signal, closed.signal]);
      const ahead = createFlowWindow(MAX_AHEAD_BYTES);
      stop.addEventListener('abort', ahead.open, { once: true });
      if (stop.aborted) ahead.open();
      const connect = async () => {
        const all = [...streams.values()].reduce((sum, count) => sum + count, 0);
        if (all >= maxStreams) throw tooMany('This server decodes');
        if ((streams.get(accountId) ?? 0) >= Math.ceil(maxStreams / 2)) throw tooMany('This account has');
        count(accountId, 1);
        closed.signal.addEventListener('abort', () => count(accountId, -1), { once: true });
        return pools.connect(decodeLive, format, stop);
      };
      const connecting = connect();
      // The reader of the sound reports it.
      connecting.catch(() => {});
      async function* sound(): AsyncGenerator<Float32Array> {
        try {
          for await (const report of (await connecting).events) {
            if (report.type === 'sound') yield report.samples;
            else if (report.type === 'taken') ahead.take(report.bytes);
          }
        } finally {
          closed.abort(new AppError('client_closed_request'));
        }
      }
      const send = async (message: DecodeMessage) => {
        const connection = await connecting.catch(() => null);
        if (!stop.aborted) connection?.send(message);
      };
      return {
        async write(bytes) {
          for (let at = 0; at < bytes.length && !stop.aborted; at += MESSAGE_BYTES) {
            const part = bytes.slice(at, at + MESSAGE_BYTES);
            ahead.add(part.length);
            await send(part);
            await ahead.waitForRoom();
          }
        },
        settled: () => ahead.waitForRoom(0),
        end: () => void send('end'),
        sound: sound(),
      };
    },
  };
}

function tooMany(what: string): AppError {
  return new AppError(
    'service_unavailable',
    `${what} too many compressed streams at a time; try again shortly, or send samples with "encoding=linear16".`,
  );
}
