import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { ApiKey, BaseUrl, LanguageQualities, versionOf } from './variables.ts';

/** Settings of the remote speech-to-text server. */
export type ServerSettings = {
  /** Ends with the API version (/v1), without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
  concurrency: number;
  /**
   * Language codes to try, best first: the second is sent when the server does not know the first.
   */
  languageCodes: Readonly<Record<Language, readonly string[]>>;
  /** 100 less the error rate in percent. Languages that are missing are not sent to the server. */
  languages: Readonly<Partial<Record<Language, number>>>;
  timestamps: 'word' | 'segment';
};

/**
 * Published error rates of whisper-large-v3: Cantonese 12.95 % mixed errors on WSYue's short test
 * set and 26.86 % on the long one (20 % between them), Mandarin 7.7 % (Common Voice 15), English
 * 4.2 % (FLEURS). Operators of better models set STT_LANGUAGES.
 */
export const WHISPER_QUALITY = { cantonese: 80, mandarin: 92, english: 95 } as const;

const Variables = z.object({
  STT_BASE_URL: BaseUrl,
  STT_API_KEY: ApiKey,
  STT_MODEL: z.string().default('whisper-1'),
  STT_TIMEOUT_SECONDS: z.coerce.number().positive().max(290).default(60),
  STT_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  STT_CANTONESE_CODE: z
    .string()
    .regex(/^[a-zA-Z-]{2,12}$/)
    .default('yue'),
  STT_LANGUAGES: LanguageQualities.default(WHISPER_QUALITY),
  STT_TIMESTAMPS: z.enum(['word', 'segment']).optional(),
});

let last: { of: Readonly<Record<string, string>>; settings: SettingsOrReason<ServerSettings> } | null = null;

/**
 * The settings in the STT_ variables. The registry reads them for every request, so the last result
 * is cached.
 */
export function readSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ServerSettings> {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ServerSettings> {
  const { STT_BASE_URL } = variables;
  if (STT_BASE_URL === undefined || STT_BASE_URL === '') return { reason: 'STT_BASE_URL is not set' };
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const parsed = read.settings;
  return {
    settings: {
      baseUrl: parsed.STT_BASE_URL,
      apiKey: parsed.STT_API_KEY,
      model: parsed.STT_MODEL,
      timeoutMs: parsed.STT_TIMEOUT_SECONDS * 1_000,
      concurrency: parsed.STT_CONCURRENCY,
      languageCodes: {
        cantonese: parsed.STT_CANTONESE_CODE === 'zh' ? ['zh'] : [parsed.STT_CANTONESE_CODE, 'zh'],
        mandarin: ['zh'],
        english: ['en'],
      },
      languages: parsed.STT_LANGUAGES,
      // Whisper servers return word times; other models often return text only.
      timestamps: parsed.STT_TIMESTAMPS ?? (/whisper/i.test(parsed.STT_MODEL) ? 'word' : 'segment'),
    },
  };
}

/**
 * Part of the cache key: another server, model or option can give another text. The address enters
 * only as a digest.
 */
export function settingsVersion({ baseUrl, model, languageCodes, timestamps }: ServerSettings): string {
  return versionOf(model, [baseUrl, model, languageCodes, timestamps]);
}
