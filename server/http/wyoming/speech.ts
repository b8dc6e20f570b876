import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import { readLanguage } from '@jyutsing/text/language-names';
import { languageOfText } from '@jyutsing/text/language-of-text';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { isSsml, MAX_SSML_LENGTH } from '@jyutsing/text/ssml/read-ssml';
import type { Caller } from '#http/authentication.ts';
import { MAX_TEXT_CHARACTERS, parseFields } from '#http/fields.ts';
import { speechTextField, withoutThoughts } from '#http/synthesis/speech-text-field.ts';
import { takeSentences, type SpeakTextDeps, type VoiceChoice } from '#http/synthesis/speak-text.ts';
import { createAnswerSound, type AnswerSound } from './answer-sound.ts';
import type { WyomingClient } from './connection.ts';
import type { WyomingEvent } from './events.ts';

const VoiceFields = z
  .object({ name: z.string().max(200).nullish(), language: z.string().max(100).nullish() })
  .nullish();
const Start = z.object({ voice: VoiceFields });
const Synthesize = Start.extend({ text: speechTextField('') });
const Chunk = z.object({ text: z.string('must be text') });

/** Separates a voice and a language in the names that `info` lists. */
const IN_LANGUAGE = ':';

/** The name of a voice that speaks a language other than its own. */
export function voiceNameIn(
  { id, language: voiceLanguage }: Pick<Voice, 'id' | 'language'>,
  language: Language,
): string {
  return language === voiceLanguage ? id : `${id}${IN_LANGUAGE}${language}`;
}

/** Speech of one client; the account of `caller` is charged. */
type WyomingSpeech = {
  /** Speaks a whole text. */
  synthesize(event: WyomingEvent, caller: Caller): Promise<void>;
  /** Begins a text that comes in parts. */
  start(event: WyomingEvent, caller: Caller): void;
  /** True from `start` to `stop`. */
  isOpen(): boolean;
  /** Takes the next part, and speaks the sentences that are complete with it. */
  append(event: WyomingEvent): Promise<void>;
  /** Speaks the rest. */
  stop(): Promise<void>;
};

type Open = { caller: Caller; choice: VoiceChoice; sound: AnswerSound; text: string; length: number };

export function createSpeech(deps: SpeakTextDeps, client: Pick<WyomingClient, 'send' | 'signal'>): WyomingSpeech {
  let open: Open | null = null;
  const speakPart = async ({ caller, choice, sound }: Open, text: string) => {
    const language = choice.language ?? languageOfText(text);
    // Punctuation alone gives no speech.
    if (isSsml(text) || splitText(text, language).length > 0) await sound.speak(caller, text, choice);
  };

  return {
    async synthesize(event, caller) {
      const { text, voice } = parseFields(Synthesize, event.data);
      const sound = createAnswerSound(deps, client);
      await sound.speak(caller, text, choiceOf(voice));
      await sound.end();
    },
    start({ data }, caller) {
      const choice = choiceOf(parseFields(Start, data).voice);
      open = { caller, choice, sound: createAnswerSound(deps, client), text: '', length: 0 };
    },
    isOpen: () => open !== null,
    async append({ data }) {
      const request = open;
      if (request === null) return;
      const { text } = parseFields(Chunk, data);
      request.text += text.toWellFormed();
      request.length += text.length;
      const isDocument = isSsml(request.text.trimStart());
      const limit = isDocument ? MAX_SSML_LENGTH : MAX_TEXT_CHARACTERS;
      if (request.length > limit) {
        throw new AppError('payload_too_large', `A text may have at most ${limit} characters.`);
      }
      // SSML is read as a whole.
      if (!request.caller.plan.streamingTts || isDocument) return;
      const { sentences, rest } = takeSentences(request.text, request.choice.language);
      request.text = rest;
      for (const sentence of sentences) await speakPart(request, sentence);
    },
    async stop() {
      const request = open;
      if (request === null) return;
      open = null;
      await speakPart(request, withoutThoughts(request.text));
      await request.sound.end();
      await client.send('synthesize-stopped');
    },
  };
}

/** Throws `invalid_parameter` for a language that is not spoken. */
function choiceOf(voice: z.output<typeof VoiceFields>): VoiceChoice {
  const [name, named] = splitName(voice?.name ?? null);
  const language = named ?? voice?.language?.trim() ?? null;
  if (language === null || language === '') return { name, language: null };
  const read = readLanguage(language);
  const spoken = read === 'chinese' ? 'cantonese' : LANGUAGES.find((language) => language === read);
  if (spoken === undefined) {
    throw new AppError('invalid_parameter', 'The language of the voice must be yue, cmn or en, or a tag of one.');
  }
  return { name, language: spoken };
}

function splitName(voiceName: string | null): [name: string | null, language: string | null] {
  if (voiceName === null || voiceName.trim() === '') return [null, null];
  const at = voiceName.lastIndexOf(IN_LANGUAGE);
  const language = voiceName.slice(at + 1);
  // Names of other servers have colons too.
  return at >= 0 && LANGUAGES.some((one) => one === language) ? [voiceName.slice(0, at), language] : [voiceName, null];
}
