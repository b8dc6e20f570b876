import { AppError } from '@jyutsing/contracts/errors';
import { outlineJson, type JsonLimits } from '#features/json-outline.ts';

/** The events of clients that mean something to a transcription session. */
export type ClientEvent =
  | { type: 'session.update' | 'transcription_session.update'; session: unknown; eventId: string | null }
  | { type: 'input_audio_buffer.append'; audio: Buffer; eventId: string | null }
  | { type: 'input_audio_buffer.commit' | 'input_audio_buffer.clear'; eventId: string | null };

/** A client's event that cannot be used. The session goes on. */
export class ClientEventError extends Error {
  readonly error: AppError;
  readonly param: string | null;
  readonly eventId: string | null;

  constructor(error: AppError, param: string | null, eventId: string | null) {
    super(error.message, { cause: error });
    this.error = error;
    this.param = param;
    this.eventId = eventId;
  }
}

/** 15 MiB of audio in base64. */
const MAX_AUDIO_CHARACTERS = 20 * 1024 ** 2;
/** An append of the largest size with its other fields. */
export const MAX_EVENT_BYTES = MAX_AUDIO_CHARACTERS + 64 * 1024;
/** Parsing a longer event occupies the processor for a while; only an append may be so long. */
export const LARGE_EVENT_BYTES = 1024 ** 2;
const APPEND = 'input_audio_buffer.append';
const TOO_LARGE = `Only an event "${APPEND}" may have more than 1 MiB, and only for its audio.`;
const NO_OBJECT = 'An event must be a JSON object.';
const MAX_SESSION_BYTES = 256 * 1024;
const MAX_ID_CHARACTERS = 512;
/** An event with a thousand keywords is far below. */
const JSON_LIMITS: JsonLimits = { depth: 64, values: 10_000 };

/** Throws ClientEventError. */
export function parseClientEvent(message: Buffer): ClientEvent {
  const fields = parseJson(message);
  const eventId = typeof fields['event_id'] === 'string' ? fields['event_id'].slice(0, MAX_ID_CHARACTERS) : null;
  const refuse = (text: string, param: string) =>
    new ClientEventError(new AppError('invalid_request', text), param, eventId);
  const { type } = fields;
  if (message.length > LARGE_EVENT_BYTES && type !== APPEND) throw refuse(TOO_LARGE, 'type');
  switch (type) {
    case 'session.update':
    case 'transcription_session.update':
      if (message.length > MAX_SESSION_BYTES) throw refuse('The event "session.update" is too large.', 'session');
      return { type, session: fields['session'], eventId };
    case APPEND: {
      const text = fields['audio'];
      if (typeof text === 'string' && text.length > MAX_AUDIO_CHARACTERS) {
        throw refuse('The field "audio" must be at most 15 MiB.', 'audio');
      }
      const audio = decodeBase64(text);
      if (audio === null) throw refuse('The field "audio" must be audio in base64.', 'audio');
      return { type, audio, eventId };
    }
    case 'input_audio_buffer.commit':
    case 'input_audio_buffer.clear':
      return { type, eventId };
    default:
      throw refuse('This session transcribes only; it has no event of this type.', 'type');
  }
}

function parseJson(message: Buffer): Record<string, unknown> {
  if (message.length <= LARGE_EVENT_BYTES) return parseText(message.toString('utf8'));
  const tooLarge = new ClientEventError(new AppError('invalid_request', TOO_LARGE), null, null);
  if (!message.includes(APPEND)) throw tooLarge;
  const cut = cutOutAudio(message);
  if (cut === null) throw new ClientEventError(new AppError('invalid_request', NO_OBJECT), null, null);
  if (cut.rest.length > LARGE_EVENT_BYTES || cut.audio.includes('\\')) throw tooLarge;
  return { ...parseText(cut.rest.toString('utf8')), audio: cut.audio };
}

const AUDIO_FIELD = Buffer.from('"audio"');
const [QUOTE, SPACES] = [0x22, [0x20, 0x09, 0x0a, 0x0d, 0x3a]];

/**
 * Takes the sound out of an event of many megabytes, which would be scanned and parsed for a tenth
 * of a second; null when it has no end. Some encoders escape `/`.
 */
function cutOutAudio(message: Buffer): { audio: string; rest: Buffer } | null {
  let start = message.indexOf(AUDIO_FIELD) + AUDIO_FIELD.length;
  while (SPACES.includes(message[start] ?? QUOTE)) start += 1;
  const end = message.indexOf(QUOTE, start + 1);
  if (end === -1) return null;
  const text = message.toString('latin1', start + 1, end);
  const rest = Buffer.concat([message.subarray(0, start + 1), message.subarray(end)]);
  return { audio: text.includes('\\') ? text.replaceAll(String.raw`\/`, '/') : text, rest };
}

function parseText(text: string): Record<string, unknown> {
  if (outlineJson(text, JSON_LIMITS).exceeded !== null) {
    const refusal = new AppError('invalid_request', 'The event has too many values, or is nested too deeply.');
    throw new ClientEventError(refusal, null, null);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Answered like any other text that is no event.
  }
  throw new ClientEventError(new AppError('invalid_request', NO_OBJECT), null, null);
}

/** Reading the characters of 20 MiB one by one takes long: the decoder drops those of no base64. */
function decodeBase64(text: unknown): Buffer | null {
  if (typeof text !== 'string' || text.length % 4 === 1 || text.includes('-') || text.includes('_')) return null;
  const bytes = Buffer.from(text, 'base64');
  const padding = /={0,2}$/.exec(text.slice(-2))![0].length;
  return bytes.length === Math.floor(((text.length - padding) * 3) / 4) ? bytes : null;
}
