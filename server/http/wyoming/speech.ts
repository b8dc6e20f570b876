import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import { readLanguage } from '@jyutsing/text/language-names';
import { splitSentences, splitText } from '@jyutsing/text/normalization/split-text';
import { languageOfText, splitSpeechText, type Speech } from '#features/synthesis/speech.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { MAX_TEXT_CHARACTERS, parseFields, textField } from '#http/fields.ts';
import { voiceNamed } from '#http/openai-speech/openai-voices.ts';
import { withQuota } from '#http/quota.ts';
import { costOf, DEFAULT_SAMPLING, SPEECH_QUOTA } from '#http/synthesis/speak.ts';
import { pcm16Of } from '#http/synthesis/speech-audio.ts';
import type { WyomingClient } from './connection.ts';
import type { WyomingEvent } from './events.ts';

export type WyomingSpeechDeps = Pick<ServerDeps, 'config' | 'store' | 'logger' | 'speech' | 'voices'>;

const VoiceFields = z
  .object({ name: z.string().max(200).nullish(), language: z.string().max(100).nullish() })
  .nullish();
const Start = z.object({ voice: VoiceFields });
const Synthesize = Start.extend({ text: textField('') });
const Chunk = z.object({ text: z.string('must be text') });

const FORMAT = { rate: SYNTHESIS_SAMPLE_RATE_HZ, width: 2, channels: 1 };
/** Separates a voice and a language in the names that `info` lists. */
const IN_LANGUAGE = ':';
/** A piece of sound in one event: a fifth of a second. */
const PIECE_BYTES = 9_600;

/** The name of a voice that speaks a language other than its own. */
export function voiceNameIn({ id, language: own }: Pick<Voice, 'id' | 'language'>, language: Language): string {
  return language === own ? id : `${id}${IN_LANGUAGE}${language}`;
}

/** Speech of one client, which the account of `caller` pays. */
export type WyomingSpeech = {
  /** Speaks a whole text. */
  synthesize(event: WyomingEvent): Promise<void>;
  /** Begins a text that comes in parts. */
  start(event: WyomingEvent): void;
  /** True from `start` to `stop`. */
  isOpen(): boolean;
  /** Takes the next part, and speaks the sentences that are complete with it. */
  append(event: WyomingEvent): Promise<void>;
  /** Speaks the rest. */
  stop(): Promise<void>;
};

type Choice = { name: string | null; language: Language | null };
/** The sound of one answer, which may come in several parts. */
type Sound = { begin(): Promise<void>; end(): Promise<void> };
type Open = { choice: Choice; sound: Sound; text: string; length: number };

export function createSpeech(
  deps: WyomingSpeechDeps,
  caller: () => Caller,
  { send, signal }: Pick<WyomingClient, 'send' | 'signal'>,
): WyomingSpeech {
  let open: Open | null = null;

  const newSound = (): Sound => {
    let hasBegun = false;
    return {
      async begin() {
        if (!hasBegun) await send('audio-start', FORMAT);
        hasBegun = true;
      },
      end: async () => (hasBegun ? send('audio-stop') : undefined),
    };
  };
  /** Sends the sound of a text; what was charged is given back when it fails. */
  const speak = async (text: string, { name, language: wanted }: Choice, sound: Sound) => {
    const { account, plan } = caller();
    const query = { accountId: account.id, sent: name, aliases: deps.config.voiceAliases };
    const language = wanted ?? languageOfText(text);
    const { voice } = await voiceNamed(deps.voices, { ...query, language });
    const spokenIn = wanted === null && name !== null ? voice.language : language;
    const model = deps.speech.chooseModel(spokenIn, 'auto');
    const charge = { ...SPEECH_QUOTA, caller: caller(), amount: costOf(text, 'file'), hasLeft: () => signal.aborted };
    await withQuota(deps, charge, async () => {
      const speech = {
        ...DEFAULT_SAMPLING,
        speed: 1,
        pitchSemitones: 0,
        accountId: account.id,
        text: splitSpeechText({ text, jyutping: null, language: spokenIn, fromSimplified: false }),
        model,
        voice: await deps.voices.synthesisVoice(voice, model.capabilities.clones === 'reference'),
        seed: randomInt(2 ** 31),
      };
      for await (const bytes of soundOf(deps, speech, plan.streamingTts, signal)) {
        await sound.begin();
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          await send('audio-chunk', FORMAT, bytes.subarray(at, at + PIECE_BYTES));
        }
      }
    });
  };
  const speakPart = async ({ choice, sound }: Open, text: string) => {
    const language = choice.language ?? languageOfText(text);
    // A sentence of signs alone has nothing to speak.
    if (splitText(text, language).length > 0) await speak(text, choice, sound);
  };

  return {
    async synthesize(event) {
      const { text, voice } = parseFields(Synthesize, event.data);
      const sound = newSound();
      await speak(text, choiceOf(voice), sound);
      await sound.end();
    },
    start({ data }) {
      open = { choice: choiceOf(parseFields(Start, data).voice), sound: newSound(), text: '', length: 0 };
    },
    isOpen: () => open !== null,
    async append({ data }) {
      const own = open;
      if (own === null) return;
      const { text } = parseFields(Chunk, data);
      own.text += text.toWellFormed();
      own.length += text.length;
      if (own.length > MAX_TEXT_CHARACTERS) {
        throw new AppError('payload_too_large', `A text may have at most ${MAX_TEXT_CHARACTERS} characters.`);
      }
      if (!caller().plan.streamingTts) return;
      const sentences = splitSentences(own.text, own.choice.language ?? languageOfText(own.text));
      // The last one may still continue.
      own.text = sentences.pop()?.text ?? own.text;
      for (const sentence of sentences) await speakPart(own, sentence.text);
    },
    async stop() {
      const own = open;
      if (own === null) return;
      open = null;
      await speakPart(own, own.text);
      await own.sound.end();
      await send('synthesize-stopped');
    },
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

/** Throws `invalid_parameter` for a language that is not spoken. */
function choiceOf(voice: z.output<typeof VoiceFields>): Choice {
  const [name, named] = splitName(voice?.name ?? null);
  const language = named ?? voice?.language ?? null;
  if (language === null || language === '') return { name, language: null };
  const read = readLanguage(language);
  const spoken = read === 'chinese' ? 'cantonese' : LANGUAGES.find((each) => each === read);
  if (spoken === undefined) {
    throw new AppError('invalid_parameter', 'The language of the voice must be yue, cmn or en, or a tag of one.');
  }
  return { name, language: spoken };
}

function splitName(sent: string | null): [name: string | null, language: string | null] {
  const at = sent?.lastIndexOf(IN_LANGUAGE) ?? -1;
  if (sent === null || sent === '') return [null, null];
  return at < 0 ? [sent, null] : [sent.slice(0, at), sent.slice(at + 1)];
}
