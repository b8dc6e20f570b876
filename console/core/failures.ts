import { ConnectionError, JyutsingError, ServerError } from '@jyutsing/client';
import { text } from './text.ts';

/** Codes that have several causes: the service says which one it was. */
const EXPLAINED_BY_SERVICE: ReadonlySet<string> = new Set([
  'summary_failed',
  'caption_tracks_failed',
  'transcript_download_failed',
  'payload_too_large',
  'unsupported_audio_format',
  'corrupt_audio',
  'audio_too_long',
  'plan_required',
  'insufficient_scope',
  'quota_exceeded',
  'service_unavailable',
  'engine_unavailable',
  'conflict',
  'unsuitable_sample',
  'text_not_readable',
  'invalid_request',
  'invalid_parameter',
  'engine_failed',
  'internal_error',
]);

/** The service says this when it has no connection to YouTube; its code has other causes too. */
const PLATFORM_UNREACHED = 'cannot reach the video platform';

/**
 * Describes a failure in one sentence in the language of the page: in words of the console for the
 * failures that people meet, in the words of the service for others.
 */
export function describeFailure(failure: unknown): string {
  const { failures } = text();
  if (failure instanceof JyutsingError) {
    if (failure.message.includes(PLATFORM_UNREACHED)) return failures.platformUnreached;
    const message = failure instanceof ConnectionError ? failures.offline : failure.message;
    return describeCode(failure.code, message);
  }
  if (failure instanceof DOMException) {
    const sentence = new Map<string, string>(Object.entries(failures.byBrowser)).get(failure.name);
    if (sentence !== undefined) return sentence;
  }
  return failures.unknown;
}

/**
 * Returns the sentence of the console for a code of docs/errors.md; for a code without one, what
 * the service says.
 */
export function describeCode(code: string | undefined, message: string): string {
  return new Map<string | undefined, string>(Object.entries(text().failures.byCode)).get(code) ?? message;
}

/**
 * Returns what the service says about a failure, in English, where the sentence of the console
 * leaves the cause open; with the number of the request when only the log of the service has more.
 * Returns null when there is nothing to add.
 */
export function failureDetail(failure: unknown): string | null {
  if (!(failure instanceof JyutsingError) || !EXPLAINED_BY_SERVICE.has(failure.code)) return null;
  const { message, requestId } = failure;
  const isInLog = failure instanceof ServerError && requestId !== null;
  return isInLog ? `${message} (${text().failures.request(requestId)})` : message;
}
