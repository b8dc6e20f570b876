import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { ApiKey, BaseUrl, LanguageQualities, versionOf } from './variables.ts';

/** Settings of the remote speech server. */
export type SpeechSettings = {
  /** The base of `/audio/speech`, without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** One of the server's own voices, used when no reference is sent; null: the server decides. */
  voice: string | null;
  /** The sample rate of raw PCM, which has no header. */
  sampleRateHz: number;
  /** Timeout for the first audio, and for every later pause of the connection. */
  timeoutMs: number;
  languages: Readonly<Partial<Record<Language, number>>>;
  /** Whether the sample of a voice is sent. */
  sendsReference: boolean;
  /** An instruction to speak Cantonese, for servers that would read the text as Mandarin. */
  cantoneseInstructions: string | null;
  /** Identifies these settings, also in the record of what the server refuses. */
  version: string;
};

/**
 * Estimated, not measured: operators set up a server because it sounds better than the shipped
 * voices.
 */
export const SERVER_QUALITY = { cantonese: 80, mandarin: 90, english: 95 } as const;

const Variables = z.object({
  TTS_BASE_URL: BaseUrl,
  TTS_API_KEY: ApiKey,
  TTS_MODEL: z.string().trim().min(1).default('tts-1'),
  TTS_VOICE: z.string().trim().min(1).max(200).optional(),
  TTS_SAMPLE_RATE: z.coerce.number().int().min(8_000).max(96_000).default(24_000),
  TTS_TIMEOUT_SECONDS: z.coerce.number().positive().max(290).default(60),
  TTS_LANGUAGES: LanguageQualities.default(SERVER_QUALITY),
  TTS_CLONES: z.enum(['reference', 'none']).default('reference'),
  TTS_CANTONESE_INSTRUCTIONS: z.string().trim().min(1).max(500).optional(),
});

let last: { of: Readonly<Record<string, string>>; settings: SettingsOrReason<SpeechSettings> } | null = null;

/**
 * The settings in the TTS_ variables. The registry reads them for every request, so the last result
 * is cached.
 */
export function readSpeechSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  if ((variables['TTS_BASE_URL'] ?? '') === '') return { reason: 'TTS_BASE_URL is not set' };
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const parsed = read.settings;
  const voice = parsed.TTS_VOICE ?? null;
  const instructions = parsed.TTS_CANTONESE_INSTRUCTIONS ?? null;
  return {
    settings: {
      baseUrl: parsed.TTS_BASE_URL,
      apiKey: parsed.TTS_API_KEY,
      model: parsed.TTS_MODEL,
      voice,
      sampleRateHz: parsed.TTS_SAMPLE_RATE,
      timeoutMs: parsed.TTS_TIMEOUT_SECONDS * 1_000,
      languages: parsed.TTS_LANGUAGES,
      sendsReference: parsed.TTS_CLONES === 'reference',
      cantoneseInstructions: instructions,
      version: versionOf(parsed.TTS_MODEL, [
        parsed.TTS_BASE_URL,
        parsed.TTS_MODEL,
        voice,
        parsed.TTS_CLONES,
        instructions,
      ]),
    },
  };
}
