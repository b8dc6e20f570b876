import type { Account, ApiKey, QuotaUnit, Scope } from '#contracts/accounts.ts';
import type { SerializedError } from '#contracts/errors.ts';
import type { TranscriptionRecord, TranscriptionResult } from '#contracts/transcription.ts';

/** A part of a monthly quota taken before the work begins. It ends settled (with what was really used) or released (all given back). */
export type QuotaReservation = {
  id: string;
  accountId: string;
  unit: QuotaUnit;
  /** The month it counts in, `YYYY-MM` in UTC: given back to the same month, also after midnight. */
  period: string;
  amount: number;
};

export type AccountQueries = {
  create(account: { name: string; plan: string }): Promise<Account>;
  find(id: string): Promise<Account | null>;
  /** All accounts, oldest first. */
  list(): Promise<Account[]>;
  /** Null when there is no such account. */
  update(id: string, change: { plan?: string; blocked?: boolean }): Promise<Account | null>;
  /** In one step, only while the store holds no account at all; null otherwise. Two processes starting together make one owner. */
  createFirst(owner: { name: string; plan: string; key: NewApiKey }): Promise<Account | null>;
};

export type NewApiKey = { name: string; scopes: Scope[]; prefix: string; sha256: string };

export type KeyQueries = {
  create(accountId: string, key: NewApiKey): Promise<ApiKey>;
  /** The key (not revoked) with its account, by the SHA-256 (hex) of the secret. */
  findByHash(sha256: string): Promise<{ key: ApiKey; account: Account } | null>;
  list(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key. Revoking twice is true both times. */
  revoke(id: string): Promise<boolean>;
};

export type QuotaQueries = {
  /**
   * Takes `amount` in one atomic statement, or nothing: null when it would pass `limit` (null: unlimited).
   * Two simultaneous calls can never take the same unit. `requestId` says what it is for.
   */
  reserve(ask: {
    accountId: string;
    unit: QuotaUnit;
    amount: number;
    limit: number | null;
    requestId: string;
  }): Promise<QuotaReservation | null>;
  /** The work is done and used `amount`; the difference is given back (or added). Only the first settle or release of a request counts. */
  settle(requestId: string, amount: number): Promise<void>;
  /** The work failed: everything is given back. */
  release(requestId: string): Promise<void>;
  /** Units used or held by an account in a month (default: the present one); every unit is present. */
  used(accountId: string, period?: string): Promise<Record<QuotaUnit, number>>;
};

export type TranscriptionQueries = {
  insert(record: TranscriptionRecord): Promise<void>;
  find(id: string): Promise<TranscriptionRecord | null>;
  /** Newest first. */
  list(accountId: string, page: { limit: number; before?: number }): Promise<TranscriptionRecord[]>;
  /** A worker takes it: sets startedAtMs (first time only) and progressAtMs, processedMs to 0; false when it is already final or gone. */
  start(id: string): Promise<boolean>;
  progress(id: string, processedMs: number): Promise<void>;
  /** Only a record that is not final yet; false otherwise, and nothing is changed. */
  complete(
    id: string,
    outcome: { result: TranscriptionResult; processingSeconds: number; creditsUsed: number },
  ): Promise<boolean>;
  fail(id: string, outcome: { error: SerializedError; processingSeconds: number | null }): Promise<boolean>;
  /** Not final, started, and without a sign of life since `beforeMs`. */
  findStuck(beforeMs: number): Promise<string[]>;
  delete(id: string): Promise<boolean>;
  /** A completed result of any account's request with the same key (see `cacheKey`); for later use. */
  countByStatus(): Promise<Record<TranscriptionRecord['status'], number>>;
};

/** All queries, on one connection or inside one transaction. */
export type Queries = {
  accounts: AccountQueries;
  keys: KeyQueries;
  quotas: QuotaQueries;
  transcriptions: TranscriptionQueries;
};

/** A transaction also carries what the queue needs to enqueue inside it; the rest of the program passes it on unseen. */
export type Transaction = Queries & { readonly raw: unknown };

/** The database: SQLite in a file, or PostgreSQL. The only place that knows SQL. */
export type Store = Queries & {
  readonly dialect: 'sqlite' | 'postgres';
  /** All or nothing; the callback's error is thrown on. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
