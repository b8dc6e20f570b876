import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice, VoiceGender } from '@jyutsing/contracts/voice';
import type { VoiceLibrary } from '#features/voices/library.ts';
import { encodeHeader } from '#http/encode-header.ts';
import { isVoiceNameElsewhere } from './voice-names.ts';

/** Ids and names of other services, and the voice of this one that each stands for. */
type VoiceAliases = Readonly<Record<string, string>>;

/** The header that names a voice which was replaced; for the documentation too. */
export const SUBSTITUTED_VOICE_HEADER = {
  'X-Voice-Id-Substituted': {
    description:
      'Only when the request named a voice of another service and the default voice spoke: its id. Also the names of unknown voices of SSML, for which the voice of the request spoke, after commas.',
    type: 'string',
  },
} as const;

/** A voice for a request. `headers` name a voice that was replaced. */
export type FoundVoice = { voice: Voice; headers: { 'X-Voice-Id-Substituted'?: string } };

/** The header of a found voice, with the unknown voices of the text. */
export function substitutedHeader(
  { headers }: Pick<FoundVoice, 'headers'>,
  unknownVoices: readonly string[],
): FoundVoice['headers'] {
  const names = [...Object.values(headers), ...unknownVoices.map(encodeHeader)];
  return names.length === 0 ? {} : { 'X-Voice-Id-Substituted': names.join(', ').slice(0, MAX_HEADER_LENGTH) };
}

type VoiceQuery = {
  accountId: string;
  /** As sent; null: the default voice of the language. */
  sent: string | null;
  language: Language;
  aliases: VoiceAliases;
};

/** Longer than any id and name. */
const MAX_ID_LENGTH = 200;
const MAX_HEADER_LENGTH = 1_024;
/** `default`, `female`, `male`, and these with a number or an age: `female-1`, `male-young`. */
const DESCRIBED = /^(?:(default)|(female|male)(?:-\w{1,20})?)$/i;

/**
 * The voice with that id or alias, or that the name describes. Throws `voice_not_found`.
 */
export async function findVoice(voices: VoiceLibrary, query: VoiceQuery): Promise<Voice> {
  const voice = await lookUp(voices, query);
  if (voice === null) throw new AppError('voice_not_found');
  return voice;
}

/**
 * As `findVoice`, but the default voice speaks for a name or id in the form of another service; so
 * it does for an id of another account, about which nothing can be learnt.
 */
export async function findOrSubstituteVoice(voices: VoiceLibrary, query: VoiceQuery): Promise<FoundVoice> {
  const { accountId, sent, language } = query;
  const voice = await lookUp(voices, query);
  if (voice !== null) return { voice, headers: {} };
  if (sent === null || sent.length > MAX_ID_LENGTH || !isVoiceNameElsewhere(sent))
    throw new AppError('voice_not_found');
  const substitute = await defaultVoice(voices, accountId, language);
  return { voice: substitute, headers: { 'X-Voice-Id-Substituted': encodeHeader(sent) } };
}

/** The voice with that id or alias, or that the name describes; null: there is none. */
export async function lookUp(
  voices: VoiceLibrary,
  { accountId, sent, language, aliases }: VoiceQuery,
): Promise<Voice | null> {
  if (sent === null) return defaultVoice(voices, accountId, language);
  if (sent.length > MAX_ID_LENGTH) return null;
  const accountVoice = await voices.find(accountId, sent);
  if (accountVoice !== null) return accountVoice;
  const alias = Object.hasOwn(aliases, sent) ? aliases[sent] : undefined;
  if (alias !== undefined) return voices.find(accountId, alias);
  const described = DESCRIBED.exec(sent);
  if (described === null) return null;
  const gender = described[2]?.toLowerCase() as VoiceGender | undefined;
  return defaultVoice(voices, accountId, language, gender);
}

/**
 * The first public voice of the language, else the first voice of the account; one of the gender if
 * there is any. Throws `voice_not_found` when there is no voice.
 */
export async function defaultVoice(
  voices: VoiceLibrary,
  accountId: string,
  language: Language,
  gender?: VoiceGender,
): Promise<Voice> {
  const all = await voices.list(accountId);
  const ofGender = gender === undefined ? [] : all.filter((voice) => voice.gender === gender);
  const candidates = ofGender.length > 0 ? ofGender : all;
  const voice =
    candidates.find((candidate) => candidate.accountId === null && candidate.language === language) ?? candidates[0];
  if (voice === undefined)
    throw new AppError('voice_not_found', 'This server has no voice yet; make one at POST /api/voices.');
  return voice;
}
