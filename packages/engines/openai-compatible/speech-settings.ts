import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { ApiKey, BaseUrl, LanguageQualities, versionOf } from './variables.ts';

/** The speech server that the operator set up. */
export type SpeechSettings = {
  /** What `/audio/speech` is appended to; no slash behind. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** Of the server's own voices, where no reference goes along; null: the server decides. */
  voice: string | null;
  /** Of raw PCM, which does not say it itself. */
  sampleRateHz: number;
  /** For the first sound, and for every silence of the line after it. */
  timeoutMs: number;
  languages: Readonly<Partial<Record<Language, number>>>;
  /** Whether the sample of a voice is sent. */
  sendsReference: boolean;
  /** How Cantonese texts are to be spoken, for servers that would read them as Mandarin. */
  cantoneseInstructions: string | null;
  /** Also names what the server is known to refuse. */
  version: string;
};

/** Judged by reputation, not measured: servers are set up because they sound better than what ships. */
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

/** The settings of the variables TTS_…; the registry asks at every request, so the last answer is kept. */
export function readSpeechSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  if ((variables['TTS_BASE_URL'] ?? '') === '') return { reason: 'TTS_BASE_URL names no server' };
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
