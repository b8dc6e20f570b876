import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { Caller } from '#http/authentication.ts';
import { speakText, type SpeakTextDeps, type VoiceChoice } from '#http/synthesis/speak-text.ts';
import type { WyomingClient } from './connection.ts';

/** The sound of one answer, which may come in several parts. */
export type AnswerSound = {
  /** Sends the sound of a text, and charges it. Throws what `speakText` throws. */
  speak(caller: Caller, text: string, choice: VoiceChoice): Promise<void>;
  /** Ends the sound, if there was any. */
  end(): Promise<void>;
};

const FORMAT = { rate: SYNTHESIS_SAMPLE_RATE_HZ, width: 2, channels: 1 };
/** A piece of sound in one event: a fifth of a second. */
const PIECE_BYTES = 9_600;

export function createAnswerSound(
  deps: SpeakTextDeps,
  { send, signal }: Pick<WyomingClient, 'send' | 'signal'>,
): AnswerSound {
  let hasBegun = false;
  const sendSound = async (bytes: Uint8Array) => {
    if (!hasBegun) await send('audio-start', FORMAT);
    hasBegun = true;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await send('audio-chunk', FORMAT, bytes.subarray(at, at + PIECE_BYTES));
    }
  };
  return {
    speak: (caller, text, choice) => speakText(deps, { caller, text, choice }, signal, sendSound),
    end: async () => (hasBegun ? send('audio-stop') : undefined),
  };
}
