import { createReadStream } from 'node:fs';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import { splitSentences } from '@jyutsing/text/normalization/split-text';
import { unfinishedThought, withoutThinking } from '@jyutsing/text/normalization/thinking';
import { languageOfText } from '@jyutsing/text/language-of-text';
import type { Speech } from '#features/synthesis/speech.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { voiceNamed } from '#http/openai-speech/openai-voices.ts';
import { withQuota } from '#http/quota.ts';
import { canStream } from './can-stream.ts';
import { castScript } from './cast-script.ts';
import { costOf, DEFAULT_STYLE, prepareSpeech, SPEECH_QUOTA } from './speak.ts';
import { pcm16Of } from './speech-audio.ts';
import { languageOfScript, readSpeechScript } from './speech-script.ts';

export type SpeakTextDeps = Pick<ServerDeps, 'config' | 'corpora' | 'store' | 'logger' | 'speech' | 'voices'>;

/**
 * The requested voice, or null for the default voice; the requested language, or null for that of
 * the named voice or the text; and the corpora that say how words are said, or null for those of
 * the account.
 */
export type VoiceChoice = { name: string | null; language: Language | null; corpusIds?: readonly string[] | null };

type SpokenText = {
  caller: Caller;
  text: string;
  choice: VoiceChoice;
  /** 1, the voice's own rate, unless it is named. */
  speed?: number;
  /** Learns the characters charged, also when the signal stops the text while it is spoken. */
  onCharged?: ((characters: number) => void) | undefined;
};

/**
 * Speaks a text outside of a request, such as one part of a conversation, and charges it. Passes
 * the sound on as signed 16-bit PCM, 24,000 Hz, mono. Throws `quota_exceeded`,
 * `voice_not_found` and what the synthesizer throws; what was charged is given back then.
 */
export async function speakText(
  deps: SpeakTextDeps,
  {
    caller,
    text,
    choice: { name, language: requestedLanguage, corpusIds = null },
    speed = DEFAULT_STYLE.speed,
    onCharged,
  }: SpokenText,
  signal: AbortSignal,
  send: (pcm: Uint8Array) => Promise<void>,
): Promise<void> {
  const { account, plan } = caller;
  const script = await readSpeechScript(text, 'text');
  const query = { accountId: account.id, sent: name, aliases: deps.config.voiceAliases };
  const { voice } = await voiceNamed(deps.voices, {
    ...query,
    language: requestedLanguage ?? languageOfScript(script),
  });
  const language = requestedLanguage ?? script.document?.language ?? languageFor(voice, name, languageOfScript(script));
  const model = deps.speech.chooseModel(language, 'auto', voice);
  const amount = costOf(script, 'file');
  const charge = { ...SPEECH_QUOTA, caller, amount, hasLeft: () => signal.aborted };
  let isReserved = false;
  const spoken = withQuota(deps, charge, async () => {
    isReserved = true;
    const cast = await castScript(deps, script, { accountId: account.id, language, voice, model: null, corpusIds });
    const input = { accountId: account.id, text: cast.text, model, voice, style: { ...DEFAULT_STYLE, speed } };
    const speech = await prepareSpeech(deps, input);
    const isStreamed = plan.streamingTts && canStream(speech);
    for await (const bytes of soundOf(deps, speech, isStreamed, signal)) await send(bytes);
  });
  await spoken.catch((failure: unknown) => {
    if (isReserved && signal.aborted) onCharged?.(amount);
    throw failure;
  });
  onCharged?.(amount);
}

/** A voice that was named speaks its own language. */
function languageFor(voice: Voice, name: string | null, ofText: Language): Language {
  return name === null ? ofText : voice.language;
}

/** While it is made, or of the complete file. */
async function* soundOf(
  { speech: service }: Pick<SpeakTextDeps, 'speech'>,
  speech: Speech,
  isStreamed: boolean,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (isStreamed) return yield* pcm16Of(service.stream(speech, signal));
  const shape = { format: 'pcm', sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, enhance: false, durationMs: null } as const;
  await using made = await service.makeFile(speech, shape, signal);
  yield* createReadStream(made.path);
}

/**
 * Divides a text that still grows into the sentences that are complete and the rest, which may
 * still continue. A thought of a language model stays in the rest until it ends.
 */
export function takeSentences(text: string, language: Language | null): { sentences: string[]; rest: string } {
  const spoken = withoutThinking(text);
  const thought = text.slice(unfinishedThought(text) ?? text.length);
  const sentences = splitSentences(spoken, language ?? languageOfText(spoken)).map((sentence) => sentence.text);
  const rest = (sentences.pop() ?? spoken) + thought;
  return { sentences, rest };
}
