import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONCURRENT_USES, type ConcurrentUse } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { UseCounter } from '@jyutsing/contracts/use-counter';
import type { Caller } from './authentication.ts';

/** Limits the requests of each account that run at a time. */
export type ConcurrencyLimits = {
  /**
   * Counts a request until `raw` closes: the answer is sent or the client has left. Throws
   * `concurrency_exceeded` when the account has as many as its plan allows.
   */
  occupy(use: ConcurrentUse, caller: Caller, { raw }: { raw: ServerResponse | Socket }): Promise<void>;
  /** How many requests of an account run now. */
  inUse(accountId: string): Promise<Record<ConcurrentUse, number>>;
};

/** Requests end at any time, so a client may try again at once, but not in a loop. */
const RETRY_AFTER_SECONDS = 1;

const NAMES: Record<ConcurrentUse, string> = {
  speech: 'requests for speech',
  scores: 'scores',
  waits: 'calls that wait for a transcription',
  eventStreams: 'streams of progress events',
  live: 'live transcriptions',
};

export function createConcurrencyLimits(counter: UseCounter = createUseCounter()): ConcurrencyLimits {
  return {
    async occupy(use, { account, plan }, { raw }) {
      const limit = plan.concurrent[use];
      if (raw.destroyed) return;
      if (!(await counter.take(account.id, use, limit))) {
        throw new AppError(
          'concurrency_exceeded',
          `This plan allows ${limit} ${NAMES[use]} at a time; wait until one has ended.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      const release = () => counter.release(account.id, use);
      if (raw.closed) release();
      else raw.once('close', release);
    },
    inUse: (accountId) => counter.inUse(accountId),
  };
}

const keyOf = (accountId: string, use: ConcurrentUse) => `${use} ${accountId}`;

/** Counts in this process alone. */
function createUseCounter(): UseCounter {
  const counts = new Map<string, number>();
  const countOf = (accountId: string, use: ConcurrentUse) => counts.get(keyOf(accountId, use)) ?? 0;
  return {
    async take(accountId, use, limit) {
      const count = countOf(accountId, use);
      if (limit !== null && count >= limit) return false;
      counts.set(keyOf(accountId, use), count + 1);
      return true;
    },
    release(accountId, use) {
      const left = countOf(accountId, use) - 1;
      if (left === 0) counts.delete(keyOf(accountId, use));
      else counts.set(keyOf(accountId, use), left);
    },
    inUse: async (accountId) =>
      Object.fromEntries(CONCURRENT_USES.map((use) => [use, countOf(accountId, use)])) as Record<ConcurrentUse, number>,
  };
}
