import { AppError } from '@jyutsing/contracts/errors';
import { outlineJson, type JsonLimits } from '#http/json-outline.ts';

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

const MAX_AUDIO_BYTES = 15 * 1024 ** 2;
/** An append of the largest size, in base64, with its other fields. */
export const MAX_EVENT_BYTES = Math.ceil((MAX_AUDIO_BYTES / 3) * 4) + 64 * 1024;
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
  switch (type) {
    case 'session.update':
    case 'transcription_session.update':
      if (message.length > MAX_SESSION_BYTES) throw refuse('The event "session.update" is too large.', 'session');
      return { type, session: fields['session'], eventId };
    case 'input_audio_buffer.append': {
      const audio = decodeBase64(fields['audio']);
      if (audio === null) throw refuse('The field "audio" must be audio in base64.', 'audio');
      if (audio.length > MAX_AUDIO_BYTES) throw refuse('The field "audio" must be at most 15 MiB.', 'audio');
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

function decodeBase64(text: unknown): Buffer | null {
  if (typeof text !== 'string' || text.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}
