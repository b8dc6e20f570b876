import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { integer, oneOf, optionalText, positive, text, type VariableGroup } from '#engines/runtime/variable-types.ts';

/**
 * Quality of whisper-large-v3 by published error rates: Cantonese 12.95 % mixed errors on WSYue's
 * short test set and 26.86 % on the long one (20 % between them), Mandarin 7.7 % (Common Voice 15),
 * English 4.2 % (FLEURS). Operators of better models set STT_LANGUAGES.
 */
export const WHISPER_QUALITY = { cantonese: 80, mandarin: 92, english: 95 } as const;

/**
 * Estimated quality of a speech server: operators set one up because it sounds better than the
 * shipped voices. Cantonese is left out: the usual models (Qwen3-TTS, Kokoro, OpenAI's) read it as
 * Mandarin, so operators of a server that speaks it set TTS_LANGUAGES.
 */
export const SERVER_QUALITY = { mandarin: 90, english: 95 } as const;

/**
 * Smallest window in tokens: a smaller one leaves no space for a piece of a transcript beside
 * instructions and answer.
 */
const LEAST_CONTEXT_TOKENS = 2_048;

/** Base URL of a server including its API version (`/v1` by default), without a trailing slash. */
const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  // Credentials belong in the key variable, because URLs appear in logs.
  .refine((url) => !/[@?#]/.test(url))
  // Some servers have a path after the version (…/v1beta/openai).
  .transform((url) => (/\/v\d+[a-z0-9]*(\/|$)/.test(new URL(url).pathname) ? url : `${url}/v1`))
  .nullable()
  .default(null)
  .meta({ type: 'an http or https address without user name, password and query' });

/** Parses "cantonese=95,english=97". */
const LanguageQualities = z.string().transform((text, context) => {
  const qualities: Partial<Record<Language, number>> = {};
  for (const entry of text.split(',')) {
    const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
    const language = LANGUAGES.find((candidate) => candidate === name);
    const quality = Number(value);
    if (language === undefined || !(quality > 0 && quality <= 100)) {
      context.addIssue({ code: 'custom', message: 'not like cantonese=80,english=95' });
      return z.NEVER;
    }
    qualities[language] = quality;
  }
  return qualities;
});

const languageQualities = (fallback: Readonly<Partial<Record<Language, number>>>) =>
  LanguageQualities.default(fallback).meta({ type: 'a list like cantonese=80,english=95' });

/** Variables for recognition by an outside server. */
export const STT_VARIABLES = {
  STT_BASE_URL: BaseUrl.describe(
    'Recognition: address of a server with `/v1/audio/transcriptions`; `/v1` may be left out. Absent: the engine is not available.',
  ),
  STT_API_KEY: optionalText().describe('Key for that server, sent as `Authorization: Bearer`.'),
  STT_MODEL: text('gpt-transcribe').describe(
    "The server's name of its model. The default is OpenAI's, which ends `whisper-1` and `gpt-4o-transcribe` on 26 February 2027.",
  ),
  STT_TIMEOUT_SECONDS: positive(60, 290).describe('Time limit of one request to the server.'),
  STT_CONCURRENCY: integer(4, 1, 64).describe('Requests to the server at the same time, for one recording.'),
  STT_CANTONESE_CODE: z
    .string()
    .regex(/^[a-zA-Z-]{2,12}$/)
    .default('yue')
    .meta({ type: 'a language code of 2 to 12 letters' })
    .describe('Sent as `language` for Cantonese; `zh` is tried when the server refuses it.'),
  STT_LANGUAGES: languageQualities(WHISPER_QUALITY).describe(
    'The languages that the server knows and their quality, 100 less the error rate in percent. The best engine for a language is used.',
  ),
  STT_TIMESTAMPS: z
    .enum(['word', 'segment'])
    .nullable()
    .default(null)
    .meta({ type: 'one of word, segment', default: 'word for names with whisper, otherwise segment' })
    .describe('Times that the server can return.'),
} as const;

/** Variables for synthesis by an outside server. */
export const TTS_VARIABLES = {
  TTS_BASE_URL: BaseUrl.describe(
    'Speech: address of a server with `/v1/audio/speech`; `/v1` may be left out. Absent: the engine is not available.',
  ),
  TTS_API_KEY: optionalText().describe('Key for that server, sent as `Authorization: Bearer`.'),
  TTS_MODEL: optionalText().describe(
    "The server's name of its model; absent: the server's own choice, if it has one. OpenAI ends all its models of this endpoint on 6 January 2027.",
  ),
  TTS_VOICE: optionalText(200).describe(
    "The server's voice for requests without a sample. If absent and the server requires one, `alloy` is sent.",
  ),
  TTS_SAMPLE_RATE: integer(24_000, 8_000, 96_000).describe(
    'Sample rate of raw audio in Hz, also requested as `sample_rate`; for servers that ignore the field, the rate they return.',
  ),
  TTS_TIMEOUT_SECONDS: positive(60, 290).describe('Time limit for the first audio, and for every pause after it.'),
  TTS_LANGUAGES: languageQualities(SERVER_QUALITY).describe(
    'The languages that the server speaks and their quality. Leave a language out to keep it local; add Cantonese for a server that speaks it: `cantonese=80,mandarin=90,english=95`.',
  ),
  TTS_CLONES: oneOf('reference', ['reference', 'none']).describe('`none`: samples of voices are never sent.'),
  TTS_CANTONESE_INSTRUCTIONS: optionalText(500).describe(
    'Sent as `instructions` with Cantonese texts, for models that would read them as Mandarin.',
  ),
} as const;

/** Variables for fusion and summaries by an outside language model. */
export const LLM_VARIABLES = {
  LLM_BASE_URL: BaseUrl.describe(
    'Fusion, summaries and translations: address of a server with `/v1/chat/completions`; `/v1` may be left out. Absent: the engine is not available.',
  ),
  LLM_API_KEY: optionalText().describe('Key for that server, sent as `Authorization: Bearer`.'),
  LLM_MODEL: optionalText().describe("The server's name of its model. Absent: the engine is not available."),
  LLM_REASONING: oneOf('off', ['off', 'default']).describe(
    '`off`: models are asked not to think before they answer, which would use up the tokens of the answer. `default`: as the server does by itself.',
  ),
  LLM_CONTEXT_TOKENS: integer(8_192, LEAST_CONTEXT_TOKENS, 16_000_000).describe(
    "Summaries and translations: the model's whole context window (instructions, data and answer).",
  ),
  LLM_TIMEOUT_SECONDS: positive(120, 3_600).describe('Summaries: time limit of one request to the model.'),
  LLM_CONCURRENCY: integer(4, 1, 1_000).describe(
    'Summaries: requests to the model at the same time, over all transcripts. Waiting requests do not use up their time.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [
  { title: 'An outside server for recognition', variables: STT_VARIABLES },
  { title: 'An outside server for speech', variables: TTS_VARIABLES },
  { title: 'An outside language model', variables: LLM_VARIABLES },
];

/**
 * Returns a version of these settings: the readable model name and a digest of everything,
 * including the URL.
 */
export function versionOf(model: string, settings: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(settings));
  return `${model.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60)}-${digest.digest('hex').slice(0, 8)}`;
}
