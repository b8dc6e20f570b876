import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CONCURRENT_USES, type ConcurrentUse } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Caller } from './authentication.ts';

/** Counts the requests of each account in this process. */
export type ConcurrencyLimits = {
  /**
   * Counts a request until `raw` closes: the answer is sent or the client has left. Throws
   * `concurrency_exceeded` when the account has as many as its plan allows.
   */
  occupy(use: ConcurrentUse, caller: Caller, { raw }: { raw: ServerResponse | Socket }): void;
  /** How many requests of an account run now. */
  inUse(accountId: string): Record<ConcurrentUse, number>;
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

const keyOf = (use: ConcurrentUse, accountId: string) => `${use} ${accountId}`;

export function createConcurrencyLimits(): ConcurrencyLimits {
  const counts = new Map<string, number>();
  return {
    occupy(use, { account, plan }, { raw }) {
      const limit = plan.concurrent[use];
      if (raw.destroyed) return;
      const key = keyOf(use, account.id);
      const count = counts.get(key) ?? 0;
      if (limit !== null && count >= limit) {
        throw new AppError(
          'concurrency_exceeded',
          `This plan allows ${limit} ${NAMES[use]} at a time; wait until one has ended.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        );
      }
      counts.set(key, count + 1);
      raw.once('close', () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      });
    },

    inUse: (accountId) =>
      Object.fromEntries(CONCURRENT_USES.map((use) => [use, counts.get(keyOf(use, accountId)) ?? 0])) as Record<
        ConcurrentUse,
        number
      >,
  };
}
