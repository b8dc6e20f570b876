import type { OfflineTtsConfig } from 'sherpa-onnx-node';
import { AppError } from '@jyutsing/contracts/errors';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { releaseMemory } from './release-memory.ts';
import type { SherpaVoice } from './voices.ts';

/** A person's speech (mono) and its words, which a cloning model continues. */
export type Reference = { samples: Float32Array; sampleRateHz: number; text: string };

type SpeechStyle = { speed: number; speaker: number; reference: Reference | null };

/** Number of steps of flow matching, for which the distilled ZipVoice was trained. */
const CLONING_STEPS = 4;

/** A loaded voice. */
type NativeVoice = {
  sampleRateHz: number;
  /**
   * Computes the audio of a text on a thread, one text at a time. An aborted signal rejects at once
   * with its reason, while the model finishes. Throws `engine_failed`; an invalid model may end the
   * process.
   */
  synthesize(text: string, style: SpeechStyle, signal: AbortSignal): Promise<Float32Array<ArrayBuffer>>;
  close(): void;
};

/** Loads a voice from its files. Throws `engine_unavailable`, `engine_failed`. */
export async function openNativeVoice(voice: SherpaVoice, config: OfflineTtsConfig): Promise<NativeVoice> {
  const { default: sherpa } = await import('sherpa-onnx-node').catch((cause: unknown) => {
    throw new AppError('engine_unavailable', 'sherpa-onnx has no build for this system.', { cause });
  });
  const native = await sherpa.OfflineTts.createAsync(config).catch((cause: unknown) => {
    throw new AppError('engine_failed', `The voice "${voice.name}" could not be loaded.`, { cause });
  });
  let turn: Promise<unknown> = Promise.resolve();
  return {
    sampleRateHz: native.sampleRate,
    synthesize(text, { speed, speaker, reference }, signal) {
      const synthesized = turn.then(async () => {
        signal.throwIfAborted();
        // There is no progress callback: it is called once per sentence, and a piece has no more
        // than one.
        const { samples } = await native
          .generateAsync({
            text,
            sid: speaker,
            speed,
            enableExternalBuffer: false,
            ...(reference === null ? {} : { generationConfig: cloning(reference, speed) }),
          })
          .catch((cause: unknown) => {
            throw new AppError('engine_failed', 'The speech model failed for this text.', { cause: nameOf(cause) });
          });
        return samples;
      });
      turn = synthesized.catch(() => {});
      return raceAbort(synthesized, signal);
    },
    close: releaseMemory,
  };
}

function cloning({ samples, sampleRateHz, text }: Reference, speed: number) {
  return {
    speed,
    referenceAudio: samples,
    referenceSampleRate: sampleRateHz,
    referenceText: text,
    numSteps: CLONING_STEPS,
  };
}

/** Returns only the name of an error, because the library's messages may contain the text. */
function nameOf(cause: unknown): string {
  return cause instanceof Error ? cause.name : typeof cause;
}
