import { KEY_ERRORS } from '#http/openapi.ts';

/** Who may ask for speech. */
export const SPEECH_ADMISSION = { scope: 'tts', counted: 'request' } as const;

/** What every route that speaks may answer. */
export const SPEECH_ERRORS = [
  ...KEY_ERRORS,
  'voice_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'upstream_unavailable',
  'timed_out',
] as const;
