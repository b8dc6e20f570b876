import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { IdempotentRequest } from '@jyutsing/contracts/repositories';
import type { Repositories } from '#store/store.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), null when absent.
 * Quotation marks count as part of the key. Throws `invalid_request`.
 */
export function idempotencyKeyFrom(headers: IncomingHttpHeaders): string | null {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return null;
  const key = String(sent).trim();
  if (KEY.test(key)) return key;
  throw new AppError(
    'invalid_request',
    'The header "Idempotency-Key" must have between 1 and 255 printable ASCII characters.',
  );
}

/** Hash by which two requests are the same: file, options and callback URL. */
export function fingerprint({ contentSha256, options, callbackUrl }: FingerprintedParts): string {
  return createHash('sha256')
    .update(JSON.stringify([contentSha256, options, callbackUrl]))
    .digest('hex');
}

type FingerprintedParts = Pick<TranscriptionRecord, 'contentSha256' | 'options' | 'callbackUrl'>;

/**
 * The transcription of the first request with a key. Throws `invalid_parameter` when that request
 * was a different one.
 */
export async function transcriptionOf(
  first: IdempotentRequest,
  requestSha256: string,
  { transcriptions }: Pick<Repositories, 'transcriptions'>,
): Promise<TranscriptionRecord> {
  if (first.requestSha256 !== requestSha256) {
    throw new AppError(
      'invalid_parameter',
      'This Idempotency-Key was sent before with another file or other options; use a new key for a new request.',
    );
  }
  const record = await transcriptions.find(first.transcriptionId);
  if (record === null) throw new AppError('conflict', 'The transcription of this Idempotency-Key was just deleted.');
  return record;
}
