import { AppError } from '@jyutsing/contracts/errors';
import type { Voice } from '@jyutsing/contracts/voice';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceLibrary } from '#features/voices/library.ts';
import { defaultVoice } from '#http/synthesis/find-voice.ts';

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

/**
 * Finds a voice by id or name in any case, or by OpenAI's name. Null: the default voice of the
 * language. Throws `voice_not_found`.
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
  const substitute = Object.hasOwn(VOICES_BY_OPENAI_NAME, key) ? VOICES_BY_OPENAI_NAME[key] : undefined;
  if (substitute === undefined) throw new AppError('voice_not_found');
  // This server may ship other voices.
  return (await voices.find(accountId, substitute)) ?? defaultVoice(voices, accountId, language);
}
