import type { OnlineRecognizer } from 'sherpa-onnx-node';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { LiveModel } from './live-models.ts';
import { releaseMemory } from './release-memory.ts';
import type { RawRecognition } from './segment-text.ts';
import type { Compute } from './variables.ts';

/** A loaded streaming model. Any number of utterances may be open at once. */
export type NativeLiveRecognizer = {
  begin(): LiveUtterance;
  close(): void;
};

/**
 * One utterance, recognized while it is spoken. Both functions decode on the calling thread: a
 * chunk of 0.3 to 0.6 s of sound takes some tens of milliseconds.
 */
type LiveUtterance = {
  /**
   * Appends sound (mono, 16 kHz, any length), decodes all complete chunks and returns the text of
   * all sound so far: later calls only append tokens. Throws `engine_failed`.
   */
  append(samples: Float32Array): RawRecognition;
  /** Decodes the remaining sound and returns the whole text; the utterance takes no more sound. */
  end(): RawRecognition;
};

/**
 * Samples of silence appended at the end: models decode whole chunks only (0.6 s) and look ahead up
 * to 0.2 s, so the last word would be lost.
 */
const TAIL_SAMPLES = 1 * RECOGNIZER_SAMPLE_RATE_HZ;

/** Loads a streaming model from its folder. An invalid model may abort the process. */
export async function openNativeLive(
  model: LiveModel,
  folder: string,
  compute: Compute,
): Promise<NativeLiveRecognizer> {
  const { default: sherpa } = await import('sherpa-onnx-node').catch((cause: unknown) => {
    throw new AppError('engine_unavailable', 'sherpa-onnx has no build for this system.', { cause });
  });
  let native: OnlineRecognizer;
  try {
    native = new sherpa.OnlineRecognizer(model.config(folder, compute));
  } catch (cause) {
    throw new AppError('engine_failed', `The model "${model.name}" could not be loaded.`, { cause });
  }
  return {
    begin() {
      const stream = native.createStream();
      const append = (samples: Float32Array): RawRecognition => {
        try {
          stream.acceptWaveform({ samples, sampleRate: RECOGNIZER_SAMPLE_RATE_HZ });
          while (native.isReady(stream)) native.decode(stream);
          const { text, tokens, timestamps } = native.getResult(stream);
          return { text: text.trim(), tokens, timestamps };
        } catch (cause) {
          throw new AppError('engine_failed', undefined, { cause });
        }
      };
      return { append, end: () => append(new Float32Array(TAIL_SAMPLES)) };
    },
    close: releaseMemory,
  };
}
