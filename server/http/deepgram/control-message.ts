import { AppError } from '@jyutsing/contracts/errors';
import { outlineJson, type JsonLimits } from '#features/json-outline.ts';
import { isObject } from '#http/is-object.ts';

/** A list of 500 terms is shorter. */
const MAX_CONTROL_BYTES = 64 * 1024;
/** Parsing lists within lists could take a hundred times their size in memory. */
const JSON_LIMITS: JsonLimits = { depth: 16, values: 2_000 };
const TOO_LONG = 'A control message may have at most 64 KiB.';

/** The fields of a JSON object; null for anything else. Throws `invalid_request` if it is long. */
export function controlFieldsOf(message: Buffer): Record<string, unknown> | null {
  if (message.length > MAX_CONTROL_BYTES) throw new AppError('invalid_request', TOO_LONG);
  const text = message.toString('utf8');
  if (outlineJson(text, JSON_LIMITS).exceeded !== null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
