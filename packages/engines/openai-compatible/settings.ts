import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { STT_VARIABLES, versionOf } from './variables.ts';

/** Settings of the remote speech-to-text server. */
export type ServerSettings = {
  /** Base URL, which ends with the API version (/v1), without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
  concurrency: number;
  /**
   * Language codes to try, best first: the second is sent when the server does not know the first.
   */
  languageCodes: Readonly<Record<Language, readonly string[]>>;
  /**
   * Quality by language: 100 less the error rate in percent. Languages that are missing are not
   * sent to the server.
   */
  languages: Readonly<Partial<Record<Language, number>>>;
  timestamps: 'word' | 'segment';
};

const Variables = z.object(STT_VARIABLES);

let last: { of: Readonly<Record<string, string>>; settings: SettingsOrReason<ServerSettings> } | null = null;

/**
 * Reads the settings from the STT_ variables. The registry reads them for every request, so the
 * last result is cached.
 */
export function readSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ServerSettings> {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<ServerSettings> {
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const parsed = read.settings;
  if (parsed.STT_BASE_URL === null) return { reason: 'STT_BASE_URL is not set' };
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
 * Returns a part of the cache key: another server, model or option can give another text. The
 * address enters only as a digest.
 */
export function settingsVersion({ baseUrl, model, languageCodes, timestamps }: ServerSettings): string {
  return versionOf(model, [baseUrl, model, languageCodes, timestamps]);
}
