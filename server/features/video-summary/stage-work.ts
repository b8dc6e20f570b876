import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';

/** Texts that outlive this process. It may forget at any time, and a failure of it is none of the request. */
export type TextCache = {
  find(key: string): Promise<string | null>;
  keep(key: string, value: string): Promise<void>;
};

/**
 * A value that was written down before, or else is made now and written down. What another version of this code wrote, or what
 * was damaged since, counts for nothing where it does not have the shape.
 */
export async function cached<Value>(
  { cache, key, shape }: { cache: TextCache; key: string; shape: z.ZodType<Value> },
  make: () => Promise<Value>,
): Promise<Value> {
  const known = shape.safeParse(parseJson(await cache.find(key)));
  if (known.success) return known.data;
  const value = await make();
  await cache.keep(key, JSON.stringify(value));
  return value;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Of everything that a value depends on, as 64 hexadecimal digits (SHA-256). */
export function keyOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What this room answers with. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set([
  'no_subtitles',
  'caption_tracks_failed',
  'transcript_download_failed',
  'empty_transcript',
  'summary_failed',
]);

/** Failures of engines become the one of the stage that they failed in; what went wrong stays in the cause, for the log. */
export async function failingAs<Value>(
  code: ErrorCode,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError) || ANSWERS.has(thrown.code)) throw thrown;
    throw new AppError(code, undefined, { cause: thrown.cause === undefined ? thrown.message : thrown });
  }
}
