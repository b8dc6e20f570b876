import type { Account, ApiKey, QuotaUnit, Scope } from '@jyutsing/contracts/accounts';
import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';
import type { SerializedError } from '@jyutsing/contracts/errors';
import type {
  TranscriptionProgress,
  TranscriptionRecord,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import type { Voice, VoiceProfile } from '@jyutsing/contracts/voice';

/** A part of a monthly quota taken before the work begins. It ends settled (with what was really used) or released (all given back). */
export type QuotaReservation = {
  id: string;
  accountId: string;
  unit: QuotaUnit;
  /** That of the account's quotas in which it was taken, see `quotaPeriod`: given back to the same one, also after midnight. */
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
   * Two simultaneous calls can never take the same unit. `requestId` says what it is for: asking again for a request that
   * still holds a reservation gives that one back and takes nothing more.
   * `heldBy`: a transcription's is bound to its record (whose id is the request's) and outlives the process; all others are this
   * process's, and are given back soon after it died (`releaseOrphaned`).
   */
  reserve(ask: {
    accountId: string;
    unit: QuotaUnit;
    amount: number;
    limit: number | null;
    requestId: string;
    heldBy: 'record' | 'process';
  }): Promise<QuotaReservation | null>;
  /**
   * The work is done and used `amount`; the difference is given back (or added). Only the first settle or release of a request counts.
   * One that throws, because the database is lost, is remembered for `endOverdue`.
   */
  settle(requestId: string, amount: number): Promise<void>;
  /** The work failed: everything is given back. Otherwise as `settle`. */
  release(requestId: string): Promise<void>;
  /** Units used or held by an account in the period of a moment (default: now); every unit is present. */
  used(accountId: string, atMs?: number): Promise<Record<QuotaUnit, number>>;
  /** Settles and releases once more what this process could not while the database was lost. Throws while it still is. */
  endOverdue(): Promise<void>;
  /**
   * Gives back what processes hold that are no longer registered as workers. Their reservations stay, empty: a process that was only
   * thought dead settles them in full. Returns how many were given back.
   */
  releaseOrphaned(): Promise<number>;
  /** Takes again what others gave back of this process while it was thought dead, even beyond the limit. Returns how many. */
  retake(): Promise<number>;
  /**
   * Ends what was taken before `beforeMs` and never settled or released, giving it back. What transcriptions hold that still wait or
   * run, and what a process holds that was not found dead, is left alone. Returns how many were released.
   */
  releaseAbandoned(beforeMs: number): Promise<number>;
};

/** A record without its texts. */
export type TranscriptionSummary = Omit<TranscriptionRecord, 'result'>;

export type TranscriptionQueries = {
  insert(record: TranscriptionRecord): Promise<void>;
  find(id: string): Promise<TranscriptionRecord | null>;
  /** What changes while polls ask for a record, without its content. Id, status and time of creation together name one state. */
  findState(id: string): Promise<Pick<TranscriptionRecord, 'accountId' | 'status' | 'createdAtMs'> | null>;
  /** How far the work is, without its content. */
  findProgress(
    id: string,
  ): Promise<Pick<TranscriptionRecord, 'status' | 'stage' | 'processedMs' | 'durationMs'> | null>;
  /** The last completed one of this account with this cache key, or null. An empty key is that of no record. */
  findFinished(accountId: string, cacheKey: string): Promise<TranscriptionRecord | null>;
  /**
   * Newest first, of one status if that is asked. `before` is the id of the last record of the page before (unknown: an empty page);
   * an id, because two records may share a millisecond.
   */
  list(
    accountId: string,
    page: { limit: number; before?: string; status?: TranscriptionRecord['status'] },
  ): Promise<TranscriptionSummary[]>;
  /** A worker takes it: sets startedAtMs (first time only) and progressAtMs, processedMs to 0; false when it is already final or gone. */
  start(id: string): Promise<boolean>;
  /** False when the record is final or gone: nobody wants the work any more. */
  progress(id: string, progress: TranscriptionProgress): Promise<boolean>;
  /**
   * Only a record that is not final yet; false otherwise, and nothing is changed. The reservation whose request id is the
   * record's id is settled with `creditsUsed` in the same transaction, so that no crash can come between.
   */
  complete(
    id: string,
    outcome: { result: TranscriptionResult; cacheKey: string; processingSeconds: number; creditsUsed: number },
  ): Promise<boolean>;
  /** As `complete`, but the reservation is released. */
  fail(id: string, outcome: { error: SerializedError; processingSeconds: number | null }): Promise<boolean>;
  /** Where the uploads of records lie that are not final: those that are still wanted. */
  findOpenBlobKeys(): Promise<string[]>;
  /** Not final, started, and without a sign of life since `beforeMs`. */
  findStuck(beforeMs: number): Promise<string[]>;
  /** Also releases the reservation of a record that was not final. False when the account has no such record. */
  delete(id: string, accountId: string): Promise<boolean>;
  /** Deletes at most `limit` final records that ended before `beforeMs`, oldest first; gives where the upload of each may still lie. */
  deleteFinishedBefore(beforeMs: number, limit: number): Promise<Pick<TranscriptionRecord, 'blobKey'>[]>;
  countByStatus(): Promise<Record<TranscriptionRecord['status'], number>>;
};

/** What an idempotency key stands for: the request that came first with it, and the transcription made for it. */
export type IdempotentRequest = { requestSha256: string; transcriptionId: string };

/** Keys by which a request that is sent again is known. One that is a day old, or whose transcription is gone, stands for nothing. */
export type IdempotencyKeyQueries = {
  find(accountId: string, key: string): Promise<IdempotentRequest | null>;
  /**
   * Makes the key stand for this request, unless it stands for another already, and gives what it stands for then. To be called in
   * the transaction that inserts the transcription: of two simultaneous requests the second waits for the first.
   */
  claim(request: IdempotentRequest & { accountId: string; key: string }): Promise<IdempotentRequest>;
  /** Forgets keys that stand for nothing because of their age. Returns how many. */
  deleteExpired(): Promise<number>;
};

/** A corpus of an account; the shipped ones are no rows. */
export type PrivateCorpus = Corpus & { accountId: string };

/** Parts of a corpus that its account may change; what is absent stays as it is. */
export type CorpusChange = Partial<Pick<Corpus, 'name' | 'description' | 'language' | 'entries'>>;

/** Corpora that belong to accounts. One of another account is as good as none. */
export type CorpusQueries = {
  /**
   * At version 1; null when the account has `limit` of them already. Counted in the same transaction: simultaneous calls cannot pass
   * the limit together.
   */
  create(corpus: Omit<PrivateCorpus, 'id' | 'version'>, limit: number): Promise<PrivateCorpus | null>;
  find(id: string, accountId: string): Promise<PrivateCorpus | null>;
  /** Oldest first, without the entries. */
  list(accountId: string): Promise<(CorpusSummary & { accountId: string })[]>;
  /**
   * Changes it and counts its version up, in one statement. Null when the account has no such corpus. Throws `conflict` when
   * `expectedVersion` (null: any) is not its version.
   */
  update(
    id: string,
    accountId: string,
    change: CorpusChange,
    expectedVersion: number | null,
  ): Promise<PrivateCorpus | null>;
  /** False when the account has no such corpus. */
  delete(id: string, accountId: string): Promise<boolean>;
};

/** A voice of an account; the shipped ones are no rows. */
export type PrivateVoice = Voice & { accountId: string; consentedAtMs: number };

/** Voices that belong to accounts. One of another account is as good as none. */
export type VoiceQueries = {
  /**
   * False, and nothing is kept, when the account has `limit` of them already. Counted in the same transaction: simultaneous calls cannot
   * pass the limit together. `nameKey` is the name as `findByName` asks for it.
   */
  create(voice: PrivateVoice, nameKey: string, limit: number): Promise<boolean>;
  count(accountId: string): Promise<number>;
  /** Whoever's it is: whether a sample still belongs to a voice. */
  exists(id: string): Promise<boolean>;
  find(id: string, accountId: string): Promise<PrivateVoice | null>;
  /** The oldest of that name. */
  findByName(nameKey: string, accountId: string): Promise<PrivateVoice | null>;
  /** Oldest first. */
  list(accountId: string): Promise<PrivateVoice[]>;
  /** Nothing happens when the voice is gone. */
  saveProfile(id: string, profile: VoiceProfile): Promise<void>;
  /** False when the account has no such voice. */
  delete(id: string, accountId: string): Promise<boolean>;
};

/** What deliveries of an account are signed with. */
export type WebhookSecretQueries = {
  /** The secret of an account; the first time `fresh` becomes it. */
  findOrCreate(accountId: string, fresh: string): Promise<string>;
  /** From now on this one. */
  replace(accountId: string, secret: string): Promise<void>;
};

/** One row of the embedded job table. `attempt` counts starts, the present one included. */
export type StoredJob = { id: string; name: string; payload: unknown; attempt: number };

/** A job in the hands of a worker: names exactly one attempt, so that a worker that lost it can change nothing. */
export type JobClaim = { jobId: string; attempt: number; workerId: string };

/** The embedded job table; only the SQLite driver of the queue uses it. */
export type JobQueries = {
  insert(job: { id: string; name: string; payload: unknown; turn: number }): Promise<void>;
  /**
   * Of the first of these names that has any: the waiting job that is due and has the lowest turn, which becomes the present one.
   * Null when there is none. A worker that was declared dead gets none.
   */
  take(workerId: string, names: readonly string[]): Promise<StoredJob | null>;
  /** The job is done and forgotten; false when the claim was lost. */
  finish(claim: JobClaim): Promise<boolean>;
  /** Waits again until `runAtMs`. `refund`: the attempt does not count. False when the claim was lost. */
  putBack(claim: JobClaim, options: { runAtMs: number; refund: boolean }): Promise<boolean>;
  /** Gave its last attempt: it never runs again and waits for its burial. */
  markDead(claim: JobClaim): Promise<boolean>;
  listDead(): Promise<StoredJob[]>;
  removeDead(jobId: string): Promise<void>;
  /** Jobs held by workers that are no longer registered wait again; `delayMs` says how long after so many starts, null: dead. Returns how many. */
  takeBackOrphans(delayMs: (job: { name: string; attempt: number }) => number | null): Promise<number>;
  count(): Promise<{ waiting: number; active: number }>;
};

/** Which worker holds which job of an outside queue (pg-boss), which itself does not remember that. */
export type ClaimQueries = {
  add(claim: JobClaim & { name: string }): Promise<void>;
  /** False when it was removed already: the job is no longer this worker's. */
  remove(claim: JobClaim): Promise<boolean>;
  /** Removes and returns the claims of workers that are no longer registered; of two processes that ask, one gets each. */
  removeOrphans(): Promise<(JobClaim & { name: string })[]>;
};

/**
 * DeadlineScheduler keep accounts fair to one another (start-time fair queueing, Goyal et al. 1996): each job of an account gets a turn one
 * after its last, but never one that has already passed; the lowest turn runs first. An account with a hundred waiting
 * jobs and one with its first therefore alternate. Every job name has turns of its own.
 */
export type TurnQueries = {
  /** The turn of the next job of this name and account. */
  next(name: string, accountId: string): Promise<number>;
  /** A job of this name with this turn has started: later newcomers begin there. */
  advance(name: string, turn: number): Promise<void>;
};

/** A process that takes jobs. `host` names a machine and process namespace within which `pid` can be checked. */
export type WorkerRow = { id: string; host: string; pid: number; silentMs: number };

/** Who is alive. Times are those of the database, so that the clocks of several machines need not agree. */
export type WorkerQueries = {
  register(worker: { id: string; host: string; pid: number }): Promise<void>;
  /** False when the worker was declared dead meanwhile: its jobs belong to others. */
  beat(id: string): Promise<boolean>;
  list(): Promise<WorkerRow[]>;
  /** Declares dead, unless the worker gave a sign of life within `silentMs` (0: whatever it gave). */
  remove(id: string, silentMs: number): Promise<void>;
};

/** What was fetched or made for videos and may be asked for again. Keys are SHA-256 (hex), values JSON text, of some megabytes at most. */
export type VideoCacheQueries = {
  /** Null when it was never kept, or only until a moment that has passed. */
  find(key: string): Promise<string | null>;
  /** From now on this one, until `untilMs`. */
  keep(key: string, value: string, untilMs: number): Promise<void>;
  /** Deletes some of those that have expired, oldest first, few enough that nobody waits for it. Returns how many; 0: none is left. */
  deleteExpired(): Promise<number>;
};

/** All queries, on one connection or inside one transaction. */
export type Queries = {
  accounts: AccountQueries;
  keys: KeyQueries;
  quotas: QuotaQueries;
  transcriptions: TranscriptionQueries;
  idempotencyKeys: IdempotencyKeyQueries;
  webhookSecrets: WebhookSecretQueries;
  corpora: CorpusQueries;
  voices: VoiceQueries;
  videoCache: VideoCacheQueries;
  jobs: JobQueries;
  claims: ClaimQueries;
  turns: TurnQueries;
  workers: WorkerQueries;
};

/** What the queue needs to enqueue inside a transaction; the rest of the program passes it on unseen. */
export type RawTransaction = {
  /** A statement of the queue library with `$1` parameters, inside this transaction. */
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Called once after the commit, never after a rollback. */
  afterCommit(action: () => void): void;
};

export type Transaction = Queries & { readonly raw: RawTransaction };

/** The database: SQLite in a file, or PostgreSQL. The only place that knows SQL. */
export type Store = Queries & {
  readonly dialect: 'sqlite' | 'postgres';
  /** Null for SQLite. For the queue, whose library keeps connections of its own to the same database. */
  readonly databaseUrl: string | null;
  /** Of this opening of the database, which a process has one of: names the process where it holds quota. A process lease registers it. */
  readonly processId: string;
  /** All or nothing; the callback's error is thrown on. Inside it use only the given transaction: the store itself would wait for it. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};
