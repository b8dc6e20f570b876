import type { StreamFormat } from '@jyutsing/audio/decode-stream';
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
  /** An aborted signal ends the decoder. */
  open(format: StreamFormat, signal: AbortSignal): SoundDecoder;
};

/** Bytes that the decoder has not yet taken, after which `write` waits: many seconds of sound. */
const MAX_AHEAD_BYTES = 256 * 1024;
/** The longest message; one Opus packet is far smaller. */
const MESSAGE_BYTES = 64 * 1024;

/** `maxStreams` may be decoded at a time: each has a process. */
export function createSoundDecoders(workers: Pick<WorkerPools, 'connect'>, maxStreams: number): SoundDecoders {
  let streams = 0;
  return {
    open(format, signal) {
      const closed = new AbortController();
      const stop = AbortSignal.any([signal, closed.signal]);
      const state = { aheadBytes: 0, wake: () => {} };
      stop.addEventListener('abort', () => state.wake(), { once: true });
      const waitUntilAheadAtMost = async (bytes: number) => {
        while (state.aheadBytes > bytes && !stop.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>();
          state.wake = resolve;
          await promise;
        }
      };
      const connect = async () => {
        if (streams >= maxStreams) throw tooMany();
        streams += 1;
        closed.signal.addEventListener('abort', () => (streams -= 1), { once: true });
        return workers.connect(decodeLive, format, stop);
      };
      const connecting = connect();
      // The reader of the sound reports it.
      connecting.catch(() => {});
      async function* sound(): AsyncGenerator<Float32Array> {
        try {
          for await (const report of (await connecting).events) {
            if (report.type === 'sound') yield report.samples;
            else if (report.type === 'taken') {
              state.aheadBytes -= report.bytes;
              state.wake();
            }
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
            state.aheadBytes += part.length;
            await send(part);
            await waitUntilAheadAtMost(MAX_AHEAD_BYTES);
          }
        },
        settled: () => waitUntilAheadAtMost(0),
        end: () => void send('end'),
        sound: sound(),
      };
    },
  };
}

function tooMany(): AppError {
  return new AppError(
    'service_unavailable',
    'This server decodes too many compressed streams; try again shortly, or send samples with "encoding=linear16".',
  );
}
