import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { TTS_VARIABLES, versionOf } from './variables.ts';

/** Settings of the remote speech server. */
export type SpeechSettings = {
  /** Base URL of `/audio/speech`, without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  /** Name of the model; null to let the server choose. */
  model: string | null;
  /**
   * Name of one of the server's voices, used when no reference is sent; null to let the server
   * choose.
   */
  voice: string | null;
  /** Sample rate of raw PCM in hertz, because raw PCM has no header. */
  sampleRateHz: number;
  /** Timeout in milliseconds for the first audio, and for every later pause of the connection. */
  timeoutMs: number;
  languages: Readonly<Partial<Record<Language, number>>>;
  /** True to send the sample of a voice. */
  sendsReference: boolean;
  /** An instruction to speak Cantonese, for servers that would read the text as Mandarin. */
  cantoneseInstructions: string | null;
  /** Identifies these settings, also in the record of refusals. */
  version: string;
};

const Variables = z.object(TTS_VARIABLES);

let last: { of: Readonly<Record<string, string>>; settings: SettingsOrReason<SpeechSettings> } | null = null;

/**
 * Reads the settings from the TTS_ variables. The registry reads them for every request, so the
 * last result is cached.
 */
export function readSpeechSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason<SpeechSettings> {
  const read = readVariables(Variables, variables);
  if (!('settings' in read)) return read;
  const parsed = read.settings;
  if (parsed.TTS_BASE_URL === null) return { reason: 'TTS_BASE_URL is not set' };
  const { TTS_VOICE: voice, TTS_CANTONESE_INSTRUCTIONS: instructions } = parsed;
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
      version: versionOf(parsed.TTS_MODEL ?? 'default', [
        parsed.TTS_BASE_URL,
        parsed.TTS_MODEL,
        voice,
        parsed.TTS_CLONES,
        instructions,
      ]),
    },
  };
}
