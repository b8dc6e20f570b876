import type { VoiceLibrary } from '#features/voices/library.ts';
import type { Voice } from '@jyutsing/contracts/voice';
import { defaultVoice, findOrSubstituteVoice, lookUp, type FoundVoice } from '#http/synthesis/find-voice.ts';

/**
 * Public voices by OpenAI's voice names, so that its clients work unchanged; also listed in
 * docs/text-to-speech.md. A voice of the account with such a name comes first.
 */
export const VOICES_BY_OPENAI_NAME: Readonly<Record<string, string>> = {
  alloy: 'maria',
  ash: 'kelvin',
  ballad: 'kelvin',
  cedar: 'marcus',
  coral: 'jasmine',
  echo: 'kelvin',
  fable: 'marcus',
  marin: 'maria',
  nova: 'jasmine',
  onyx: 'marcus',
  sage: 'maria',
  shimmer: 'jasmine',
  verse: 'marcus',
};

/** Longer than any id and name. */
const MAX_NAME_LENGTH = 200;

type VoiceQuery = Parameters<typeof findOrSubstituteVoice>[1];

/**
 * Finds a voice by id or name in any case, or by OpenAI's name; else as `findOrSubstituteVoice`.
 * Throws `voice_not_found`.
 */
export async function voiceNamed(voices: VoiceLibrary, query: VoiceQuery): Promise<FoundVoice> {
  const voice = query.sent === null ? null : await byName(voices, { ...query, sent: query.sent });
  return voice === null ? findOrSubstituteVoice(voices, query) : { voice, headers: {} };
}

/** Finds a voice in every way that this server knows; null: it has no such voice. */
export async function knownVoice(voices: VoiceLibrary, query: VoiceQuery & { sent: string }): Promise<Voice | null> {
  return (await byName(voices, query)) ?? (await lookUp(voices, query));
}

async function byName(
  voices: VoiceLibrary,
  { accountId, sent: name, language }: VoiceQuery & { sent: string },
): Promise<Voice | null> {
  if (name.length > MAX_NAME_LENGTH) return null;
  const key = name.toLowerCase();
  const ownVoice =
    (await voices.find(accountId, name)) ??
    (await voices.find(accountId, key)) ??
    (await voices.findByName(accountId, name));
  if (ownVoice !== null) return ownVoice;
  const standIn = Object.hasOwn(VOICES_BY_OPENAI_NAME, key) ? VOICES_BY_OPENAI_NAME[key] : undefined;
  if (standIn === undefined) return null;
  // This server may ship other voices.
  return (await voices.find(accountId, standIn)) ?? defaultVoice(voices, accountId, language);
}
