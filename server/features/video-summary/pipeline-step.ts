import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { createSingleFlight, type SingleFlightOptions } from '@jyutsing/concurrency/single-flight';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';

/** Texts that outlive this process. Entries may disappear at any time; neither method throws. */
export type TextCache = {
  find(key: string): Promise<string | null>;
  save(key: string, value: string): Promise<void>;
};

type StepOptions<Value> = SingleFlightOptions<Value> & {
  /** The error that failures of engines become. */
  failureCode: ErrorCode;
  /**
   * Stores values beyond the process; entries without this shape are ignored. Null: memory only.
   */
  stored: { cache: TextCache; shape: z.ZodType<Value> } | null;
};

/** Runs `work` unless the value of `key` is known or is being made for another request. */
type PipelineStep<Value> = (
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

/**
 * A step whose values are shared between simultaneous requests and cached according to `options`.
 */
export function createStep<Value>({ failureCode, stored, ...sharing }: StepOptions<Value>): PipelineStep<Value> {
  const share = createSingleFlight<Value>(sharing);
  return (key, signal, work) =>
    share(
      key,
      (stop) =>
        failAs(failureCode, stop, () => (stored === null ? work(stop) : findOrMake(stored, key, () => work(stop)))),
      signal,
    );
}

/** SHA-256 of everything that a value depends on, as 64 hexadecimal digits. */
export function keyOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

const PIPELINE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'no_subtitles',
  'caption_tracks_failed',
  'transcript_download_failed',
  'empty_transcript',
  'summary_failed',
]);

/**
 * Turns errors of engines into `code`, which clients know, with the wait that a busy server asks
 * for; the original is the cause, for the log.
 */
export async function failAs<Value>(code: ErrorCode, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError) || PIPELINE_ERRORS.has(thrown.code)) throw thrown;
    const { retryAfterSeconds } = thrown;
    throw new AppError(code, undefined, {
      cause: thrown.cause === undefined ? thrown.message : thrown,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  }
}

/** Entries written by another version of this code, or damaged since, are replaced. */
async function findOrMake<Value>(
  { cache, shape }: { cache: TextCache; shape: z.ZodType<Value> },
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const cached = shape.safeParse(parseJson(await cache.find(key)));
  if (cached.success) return cached.data;
  const value = await make();
  await cache.save(key, JSON.stringify(value));
  return value;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
