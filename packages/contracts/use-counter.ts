import type { ConcurrentUse } from './accounts.ts';

/** Counts the requests of accounts that run now: of this process, or of all with one database. */
export type UseCounter = {
  /** Counts one more request; false when the account has `limit` (null: unlimited) already. */
  take(accountId: string, use: ConcurrentUse, limit: number | null): Promise<boolean>;
  /** Ends a request that `take` counted. Never throws. */
  release(accountId: string, use: ConcurrentUse): void;
  inUse(accountId: string): Promise<Record<ConcurrentUse, number>>;
};

/** Counts the requests of all processes that share a database. */
export type SharedUseCounter = UseCounter & {
  /** Saves the counts of this process again; call when its lease was lost. */
  restore(): void;
};
