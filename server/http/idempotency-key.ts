import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** For the documentation; the key is checked after authorization. */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z.string().optional().meta({
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~][ -~]*$',
    description: '422 when reused for another request.',
  }),
});

/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), null when absent.
 * Quotation marks count as part of the key. Throws `invalid_request`.
 */
export function idempotencyKeyFrom(headers: IncomingHttpHeaders): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header).trim();
  if (KEY.test(key)) return key;
  throw new AppError(
    'invalid_request',
    'The header "Idempotency-Key" must have between 1 and 255 printable ASCII characters.',
  );
}

/** A hash by which two requests are the same: the route and its fields, without the API key. */
export function fingerprintOf(path: string, input: unknown): string {
  const { api_key: _, ...fields } = input as Record<string, unknown>;
  return createHash('sha256')
    .update(JSON.stringify([path, fields]))
    .digest('hex');
}

/** For a key that was sent before with something else. */
export function differentRequest(): AppError {
  return new AppError(
    'invalid_parameter',
    'This Idempotency-Key was sent before with another file or other options; use a new key for a new request.',
  );
}
