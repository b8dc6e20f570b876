import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import type { VoiceLibrary } from '#features/voices/library.ts';

/** Longer than any id. */
const MAX_ID_LENGTH = 200;

/** Throws `voice_not_found`. */
export async function voiceById(voices: VoiceLibrary, accountId: string, id: string): Promise<Voice> {
  const voice = id.length > MAX_ID_LENGTH ? null : await voices.find(accountId, id);
  if (voice === null) throw new AppError('voice_not_found');
  return voice;
}

/**
 * The first public voice of the language, else the first voice of the account. Throws
 * `voice_not_found` when there is none.
 */
export async function defaultVoice(voices: VoiceLibrary, accountId: string, language: Language): Promise<Voice> {
  const all = await voices.list(accountId);
  const voice = all.find((each) => each.accountId === null && each.language === language) ?? all[0];
  if (voice === undefined)
    throw new AppError('voice_not_found', 'This server has no voice yet; make one at POST /api/voices.');
  return voice;
}
