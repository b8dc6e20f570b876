import type { Language } from '@jyutsing/contracts/transcript';
import { parseAnswer, type Answer } from './answer.ts';
import { RECOGNITION_SERVER, statusFailure } from './failures.ts';
import { post, type Reply } from './post.ts';
import type { ServerSettings } from './settings.ts';

/** Limit of the response body in bytes; a transcription of 20 s has some kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024;

/**
 * Response formats, richest first. A refusal of word times selects the next one, any other refusal
 * that no language code avoids the last; kept from its first success on.
 */
const FORMATS = [
  { response_format: 'verbose_json', granularities: ['word', 'segment'] },
  { response_format: 'verbose_json', granularities: [] },
  { response_format: 'json', granularities: [] },
] as const;

/**
 * With the language "zh" Whisper writes Mandarin whatever is spoken; a Cantonese prompt prevents
 * that. Used when the request has no context.
 */
const CANTONESE_PROMPT = '以下係廣東話對話。';

/** Whisper reads the last 224 tokens of a prompt, and some servers refuse longer ones. */
const MAX_PROMPT_TOKENS = 220;
/** Tokens of a Chinese character at most, and of a letter, about. */
const TOKENS_OF = { han: 1.5, other: 0.4 } as const;

/** The beginning of a context, which says what matters first, as far as Whisper reads it. */
function promptOf(context: string): string {
  let tokens = 0;
  const characters = [...context];
  const end = characters.findIndex((character) => {
    tokens += /\p{Script=Han}/u.test(character) ? TOKENS_OF.han : TOKENS_OF.other;
    return tokens > MAX_PROMPT_TOKENS;
  });
  return end < 0 ? context : characters.slice(0, end).join('');
}

type Transcribed = { answer: Answer; prompt: string | null };

type TranscriptionClient = {
  /**
   * Uploads one speech segment (a WAV file) and returns the server's transcription. It is sent
   * once, but again in another form after a refusal of the format or the language, which is
   * remembered. Throws as described in `failures.ts`, or the signal's reason at once.
   */
  transcribe(
    wav: Uint8Array<ArrayBuffer>,
    language: Language,
    context: string | null,
    signal: AbortSignal,
  ): Promise<Transcribed>;
};

/** Creates a client of one server. Refusals are remembered as long as the client lives. */
export function createTranscriptionClient(settings: ServerSettings): TranscriptionClient {
  let format = 0;
  const code: Record<Language, number> = { cantonese: 0, mandarin: 0, english: 0 };

  return {
    async transcribe(wav, language, context, signal) {
      const codes = settings.languageCodes[language];
      let attempt = { format, code: code[language] };
      for (;;) {
        const languageCode = codes[attempt.code] ?? '';
        const isAmbiguous = language === 'cantonese' && languageCode === 'zh';
        const prompt = context === null ? (isAmbiguous ? CANTONESE_PROMPT : null) : promptOf(context);
        const reply = await upload(settings, form(settings, wav, attempt.format, languageCode, prompt), signal);
        if (reply.status === 200) {
          const answer = parseAnswer(reply.body);
          // Learn only from successes. Uploads run concurrently, and a step is never undone.
          format = Math.max(format, attempt.format);
          code[language] = Math.max(code[language], attempt.code);
          return { answer, prompt };
        }
        const next = nextForm(reply, attempt, codes.length);
        if (next === null) throw statusFailure(RECOGNITION_SERVER, reply.status, reply.retryAfter);
        attempt = next;
      }
    },
  };
}

type RequestForm = { format: number; code: number };

/**
 * Returns the next form of the request after a refusal; null when the request is not the cause, or
 * no other form is left.
 */
function nextForm(reply: Reply, { format, code }: RequestForm, codesCount: number): RequestForm | null {
  const refused = refusalIn(reply);
  if (refused === 'language' && code + 1 < codesCount) return { format, code: code + 1 };
  if (refused === null || format + 1 >= FORMATS.length) return null;
  const isForWords = refused === 'format' && /granularit/i.test(reply.body);
  return { format: isForWords ? format + 1 : FORMATS.length - 1, code };
}

function form(
  settings: ServerSettings,
  wav: Uint8Array<ArrayBuffer>,
  format: number,
  languageCode: string,
  prompt: string | null,
): FormData {
  const { response_format, granularities } = FORMATS[format] ?? FORMATS[2];
  const fields = new FormData();
  fields.append('model', settings.model);
  fields.append('language', languageCode);
  if (prompt !== null) fields.append('prompt', prompt);
  fields.append('response_format', response_format);
  fields.append('temperature', '0');
  for (const granularity of granularities) fields.append('timestamp_granularities[]', granularity);
  // Servers choose a decoder by the file name.
  fields.append('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav');
  return fields;
}

function upload(settings: ServerSettings, body: FormData, signal: AbortSignal): Promise<Reply> {
  const { baseUrl, apiKey, timeoutMs } = settings;
  const options = { role: RECOGNITION_SERVER, apiKey, maxAnswerBytes: MAX_ANSWER_BYTES, timeoutMs };
  return post(`${baseUrl}/audio/transcriptions`, body, options, signal);
}

/**
 * Returns the part of the request that the server refused: `unknown` when its message does not name
 * it, null when the request is not the cause.
 */
function refusalIn({ status, body }: Reply): 'language' | 'format' | 'unknown' | null {
  if (status !== 400 && status !== 422) return null;
  if (/response_format|verbose_json|granularit|timestamp/i.test(body)) return 'format';
  if (/language|"yue"|'yue'/i.test(body)) return 'language';
  return 'unknown';
}
