import { AppError } from '@jyutsing/contracts/errors';
import type { Voice } from '@jyutsing/contracts/voice';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceLibrary } from '#features/voices/library.ts';
import { defaultVoice } from '#http/synthesis/find-voice.ts';

/**
 * The voices of OpenAI and the public ones that stand in for them, so that clients work unchanged; docs/text-to-speech.md lists the same.
 * A voice of the account with such a name comes first.
 */
export const STAND_INS: Readonly<Record<string, string>> = {
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

/** Longer than every id and every name. */
const MAX_NAME_LENGTH = 200;

/**
 * The voice of that id or name, case left aside, or the one that stands in for OpenAI's. Null, where none was named, is the first public
 * one of the language. Throws `voice_not_found`.
 */
export async function voiceNamed(
  voices: VoiceLibrary,
  accountId: string,
  name: string | null,
  language: Language,
): Promise<Voice> {
  if (name === null) return defaultVoice(voices, accountId, language);
  if (name.length > MAX_NAME_LENGTH) throw new AppError('voice_not_found');
  const key = name.toLowerCase();
  const found =
    (await voices.find(accountId, name)) ??
    (await voices.find(accountId, key)) ??
    (await voices.findByName(accountId, name));
  if (found !== null) return found;
  const standIn = Object.hasOwn(STAND_INS, key) ? STAND_INS[key] : undefined;
  if (standIn === undefined) throw new AppError('voice_not_found');
  // A server may ship other voices than ours.
  return (await voices.find(accountId, standIn)) ?? defaultVoice(voices, accountId, language);
}
