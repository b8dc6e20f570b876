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
  if (isLargeWithoutAudio(message, fields)) throw refuse(TOO_LARGE, type === APPEND ? 'audio' : 'type');
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
  if (message.length > LARGE_EVENT_BYTES && !message.includes(APPEND)) {
    throw new ClientEventError(new AppError('invalid_request', TOO_LARGE), null, null);
  }
  const text = message.toString('utf8');
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
  throw new ClientEventError(new AppError('invalid_request', 'An event must be a JSON object.'), null, null);
}

/**
 * Audio is charged; anything else of this size would be parsed free of charge. Some encoders escape
 * `/`.
 */
function isLargeWithoutAudio(message: Buffer, { type, audio }: Record<string, unknown>): boolean {
  const audioBytes = type === APPEND && typeof audio === 'string' ? 2 * audio.length : 0;
  return message.length > LARGE_EVENT_BYTES + audioBytes;
}

function decodeBase64(text: unknown): Buffer | null {
  if (typeof text !== 'string' || text.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}
