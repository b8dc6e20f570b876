import { createHash } from 'node:crypto';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { IdempotentRequest } from '#store/repositories/idempotency-keys.ts';
import { differentRequest } from '#http/idempotency-key.ts';
import type { Repositories } from '#store/store.ts';

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
  if (first.requestSha256 !== requestSha256) throw differentRequest();
  const record = await transcriptions.find(first.transcriptionId);
  if (record === null) throw new AppError('conflict', 'The transcription of this Idempotency-Key was just deleted.');
  return record;
}
