import type { PcmChunk } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { joinSamples } from '@jyutsing/audio/join-samples';

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
  let held: Float32Array[] = [];
  let firstSample = 0;
  let endSample = 0;
  let isOver = false;

  const forgetBefore = (sample: number): void => {
    let [oldest] = held;
    while (oldest !== undefined && firstSample + oldest.length <= sample) {
      firstSample += oldest.length;
      held.shift();
      [oldest] = held;
    }
  };

  return {
    async take(fromSample, toSample, signal) {
      forgetBefore(fromSample);
      while (!isOver && endSample < toSample) {
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
        held.push(samples);
        endSample += samples.length;
        forgetBefore(fromSample);
      }
      const all = joinSamples(held);
      return all.slice(Math.max(0, fromSample - firstSample), Math.max(0, toSample - firstSample));
    },
    async close() {
      held = [];
      isOver = true;
      await chunks.return?.();
    },
  };
}
