import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRecentSamples } from '@jyutsing/audio/recent-samples';

/** Gives access to pieces of a stream in order; audio before the last piece is discarded. */
export type SoundWindow = {
  /**
   * Returns the samples of a range, fewer at the end of the recording. `from` must not decrease.
   */
  take(fromSample: number, toSample: number, signal: AbortSignal): Promise<Float32Array>;
  /** Releases the stream. */
  close(): Promise<void>;
};

/**
 * Opens a window on mono audio at 16 kHz; it buffers from the start of the last piece to the end of
 * the last chunk.
 */
export function openSoundWindow(audio: AsyncIterable<PcmChunk>): SoundWindow {
  const chunks = audio[Symbol.asyncIterator]();
  const sound = createRecentSamples();
  let isOver = false;

  return {
    async take(fromSample, toSample, signal) {
      sound.discardBefore(fromSample);
      while (!isOver && sound.endSample() < toSample) {
        const next = await chunks.next();
        signal.throwIfAborted();
        if (next.done === true) {
          isOver = true;
          break;
        }
        const { samples, sampleRateHz } = next.value;
        if (sampleRateHz !== RECOGNIZER_SAMPLE_RATE_HZ) {
          throw new AppError('internal_error', undefined, {
            cause: `a romanizer received audio of ${sampleRateHz} Hz`,
          });
        }
        sound.append(samples);
        sound.discardBefore(fromSample);
      }
      return sound.slice(fromSample, toSample).samples;
    },
    async close() {
      isOver = true;
      await chunks.return?.();
    },
  };
}
