import { LRUCache } from 'lru-cache';
import { AppError } from '@jyutsing/contracts/errors';
import { raceAbort } from './race-abort.ts';

export type SingleFlightOptions<Value> = {
  /** Milliseconds for which a result is cached. */
  keptMs: number;
  failureKeptMs: number;
  /** The size of the cache in the unit of `sizeOf`; the least recently used entry is evicted. */
  maxSize: number;
  sizeOf(value: Value): number;
  /** The size of a cached failure: keys are unlimited, so failures must count. */
  failureSize: number;
};

/** Runs work once for all callers with the same key at the same time, and caches the outcome. */
type SingleFlight<Value> = (
  key: string,
  /** Its signal aborts when all callers have aborted. */
  work: (signal: AbortSignal) => Promise<Value>,
  /** The caller's own signal: an abort throws its reason and leaves the other callers waiting. */
  signal: AbortSignal,
) => Promise<Value>;

type Outcome<Value> = { value: Value } | { error: AppError };
type Running<Value> = { outcome: Promise<Outcome<Value>>; controller: AbortController; waiting: number };

/**
 * Caches failures too, for a shorter time, to stop every caller from repeating a request that a
 * platform has just refused. Errors that are no AppError are thrown but not cached.
 */
export function createSingleFlight<Value>(options: SingleFlightOptions<Value>): SingleFlight<Value> {
  const { keptMs, failureKeptMs, maxSize, sizeOf, failureSize } = options;
  const kept = new LRUCache<string, Outcome<Value>>({
    maxSize,
    sizeCalculation: (outcome) => Math.max(1, 'value' in outcome ? sizeOf(outcome.value) : failureSize),
  });
  const running = new Map<string, Running<Value>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<Value>): Running<Value> => {
    const controller = new AbortController();
    const outcome = settle(work, controller.signal).then(
      (settled) => {
        const isWanted = !controller.signal.aborted;
        const ttl = 'value' in settled ? keptMs : failureKeptMs;
        // A ttl of 0 would mean no expiry.
        if (isWanted && ttl > 0) kept.set(key, settled, { ttl });
        if (isWanted) running.delete(key);
        return settled;
      },
      (thrown: unknown) => {
        if (!controller.signal.aborted) running.delete(key);
        throw thrown;
      },
    );
    // Callers handle the rejection; after all have aborted, none is left to do so.
    outcome.catch(() => {});
    const started = { outcome, controller, waiting: 0 };
    running.set(key, started);
    return started;
  };

  return async (key, work, signal) => {
    signal.throwIfAborted();
    const cached = kept.get(key);
    if (cached !== undefined) return open(cached);
    const joined = running.get(key) ?? start(key, work);
    joined.waiting += 1;
    try {
      return open(await raceAbort(joined.outcome, signal));
    } finally {
      joined.waiting -= 1;
      if (joined.waiting === 0 && running.get(key) === joined) {
        running.delete(key);
        joined.controller.abort(signal.reason);
      }
    }
  };
}

async function settle<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
): Promise<Outcome<Value>> {
  try {
    return { value: await work(signal) };
  } catch (thrown) {
    if (thrown instanceof AppError) return { error: thrown };
    throw thrown;
  }
}

function open<Value>(outcome: Outcome<Value>): Value {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
