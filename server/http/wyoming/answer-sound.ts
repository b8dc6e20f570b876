import { createReadStream } from 'node:fs';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Speech } from '#features/synthesis/speech.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { voiceNamed } from '#http/openai-speech/openai-voices.ts';
import { withQuota } from '#http/quota.ts';
import { castScript } from '#http/synthesis/cast-script.ts';
import { costOf, prepareSpeech, DEFAULT_STYLE, SPEECH_QUOTA } from '#http/synthesis/speak.ts';
import { languageOfScript, readSpeechScript } from '#http/synthesis/speech-script.ts';
import { pcm16Of } from '#http/synthesis/speech-audio.ts';
import type { WyomingClient } from './connection.ts';

export type WyomingSpeechDeps = Pick<ServerDeps, 'config' | 'corpora' | 'store' | 'logger' | 'speech' | 'voices'>;

/**
 * The requested voice, or null for the default voice; and the requested language, or null for that
 * of the named voice or the text.
 */
export type VoiceChoice = { name: string | null; language: Language | null };

/** The sound of one answer, which may come in several parts. */
export type AnswerSound = {
  /**
   * Sends the sound of a text, and charges it. Throws `quota_exceeded`, `voice_not_found` and what
   * the synthesizer throws; what was charged is given back then.
   */
  speak(caller: Caller, text: string, choice: VoiceChoice): Promise<void>;
  /** Ends the sound, if there was any. */
  end(): Promise<void>;
};

const FORMAT = { rate: SYNTHESIS_SAMPLE_RATE_HZ, width: 2, channels: 1 };
/** A piece of sound in one event: a fifth of a second. */
const PIECE_BYTES = 9_600;

export function createAnswerSound(
  deps: WyomingSpeechDeps,
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
    async speak(caller, text, { name, language: requestedLanguage }) {
      const { account, plan } = caller;
      const script = await readSpeechScript(text, 'text');
      const query = { accountId: account.id, sent: name, aliases: deps.config.voiceAliases };
      const { voice } = await voiceNamed(deps.voices, {
        ...query,
        language: requestedLanguage ?? languageOfScript(script),
      });
      const language =
        requestedLanguage ?? script.document?.language ?? (name === null ? languageOfScript(script) : voice.language);
      const model = deps.speech.chooseModel(language, 'auto', voice);
      const charge = { ...SPEECH_QUOTA, caller, amount: costOf(script, 'file'), hasLeft: () => signal.aborted };
      await withQuota(deps, charge, async () => {
        const cast = await castScript(deps, script, { accountId: account.id, language, voice, model: null });
        const input = { accountId: account.id, text: cast.text, model, voice, style: DEFAULT_STYLE };
        const speech = await prepareSpeech(deps, input);
        for await (const bytes of soundOf(deps, speech, plan.streamingTts, signal)) await sendSound(bytes);
      });
    },
    end: async () => (hasBegun ? send('audio-stop') : undefined),
  };
}

/** While it is made, or of the complete file where the plan has no streaming. */
async function* soundOf(
  { speech: service }: Pick<WyomingSpeechDeps, 'speech'>,
  speech: Speech,
  isStreamed: boolean,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (isStreamed) return yield* pcm16Of(service.stream(speech, signal));
  const shape = { format: 'pcm', sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, enhance: false, durationMs: null } as const;
  await using made = await service.makeFile(speech, shape, signal);
  yield* createReadStream(made.path);
}
