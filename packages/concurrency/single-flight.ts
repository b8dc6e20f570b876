import { LRUCache } from 'lru-cache';
import { AppError } from '@jyutsing/contracts/errors';
import { raceAbort } from './race-abort.ts';

export type SingleFlightOptions<Value> = {
  /** How long an outcome is good for those who come later. */
  keptMs: number;
  failureKeptMs: number;
  /** The most that is kept, in whatever unit `sizeOf` counts; the least recently asked for goes first. */
  maxSize: number;
  sizeOf(value: Value): number;
  /** Of a failure, in the same unit: there may be as many as there are things to ask for. */
  failureSize: number;
};

/** Does work once for all who ask for the same at the same time, or soon after. */
export type SingleFlight<Value> = (
  key: string,
  /** Its signal aborts when nobody waits any longer. */
  work: (signal: AbortSignal) => Promise<Value>,
  /** Of this asker alone: when it aborts, its reason is thrown, and the others go on waiting. */
  signal: AbortSignal,
) => Promise<Value>;

type Outcome<Value> = { value: Value } | { error: AppError };
type Running<Value> = { outcome: Promise<Outcome<Value>>; controller: AbortController; waiting: number };

/**
 * Failures are kept as well, for shorter: a platform that has just refused should not be asked again by everybody. What was not thrown on
 * purpose (no AppError) fails those who wait for it and is not kept.
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
        // A ttl of 0 would mean for ever.
        if (isWanted && ttl > 0) kept.set(key, settled, { ttl });
        if (isWanted) running.delete(key);
        return settled;
      },
      (thrown: unknown) => {
        if (!controller.signal.aborted) running.delete(key);
        throw thrown;
      },
    );
    // Whoever waits hears of it; when all have left, nobody does.
    outcome.catch(() => {});
    const started = { outcome, controller, waiting: 0 };
    running.set(key, started);
    return started;
  };

  return async (key, work, signal) => {
    signal.throwIfAborted();
    const known = kept.get(key);
    if (known !== undefined) return open(known);
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
