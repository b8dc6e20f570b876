import type { StreamFormat } from '@jyutsing/audio/decode-stream';
import { bytesPerSecond, createSoundInput, type SoundFormat } from '#features/live/sound-input.ts';
import type { SoundDecoder, SoundDecoders } from '#workers/sound-decoders.ts';

/** How a client sends its sound; compressed sound stays so for the whole stream. */
export type LiveFormat = SoundFormat | StreamFormat;

/** Turns the bytes of a client into sound for a recognizer. */
type SoundSource = {
  configure(format: LiveFormat): void;
  /** Resolves when more may follow. Throws what `onSound` throws for uncompressed sound. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when all sound written so far was passed on. */
  settled(): Promise<void>;
  /** Resolves after the last sound. */
  end(): Promise<void>;
};

type SoundClient = {
  decoders: SoundDecoders;
  accountId: string;
  onSound(piece: Float32Array): Promise<void>;
  /** Compressed sound cannot be decoded, or `onSound` threw. */
  onFailure(reason: unknown): void;
};

/** Sound between two checks of the key and the quota. */
const PIECE_SECONDS = 1;

/** Decoding begins with the first bytes. An aborted signal ends it. */
export function openSoundSource(
  { decoders, accountId, onSound, onFailure }: SoundClient,
  initial: LiveFormat,
  signal: AbortSignal,
): SoundSource {
  let format = initial;
  let input = isCompressed(initial) ? null : createSoundInput(initial);
  let decoding: { decoder: SoundDecoder; ended: Promise<void> } | null = null;

  const startDecoding = (compressed: StreamFormat) => {
    const failed = new AbortController();
    const decoder = decoders.open(compressed, accountId, AbortSignal.any([signal, failed.signal]));
    const read = async () => {
      for await (const piece of decoder.sound) await onSound(piece);
    };
    const ended = read().catch((reason: unknown) => {
      failed.abort(reason);
      if (!signal.aborted) onFailure(reason);
    });
    return { decoder, ended };
  };

  return {
    configure(next) {
      if (JSON.stringify(next) === JSON.stringify(format)) return;
      format = next;
      input = isCompressed(next) ? null : createSoundInput(next);
    },
    async write(bytes) {
      if (isCompressed(format)) {
        decoding ??= startDecoding(format);
        return decoding.decoder.write(bytes);
      }
      const size = bytesPerSecond(format) * PIECE_SECONDS;
      for (let at = 0; at < bytes.length && !signal.aborted; at += size) {
        const piece = input?.(bytes.subarray(at, at + size));
        if (piece !== undefined && piece.length > 0) await onSound(piece);
      }
    },
    async settled() {
      await decoding?.decoder.settled();
    },
    async end() {
      decoding?.decoder.end();
      await decoding?.ended;
    },
  };
}

function isCompressed(format: LiveFormat): format is StreamFormat {
  return format.encoding === 'opus' || format.encoding === 'container';
}
