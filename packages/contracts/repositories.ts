import type { Account, ApiKey, QuotaUnit, Scope } from './accounts.ts';
import type { Corpus, CorpusSummary } from './corpus.ts';
import type { SerializedError } from './errors.ts';
import type { SpeakerRegister } from './pronunciation.ts';
import type {
  CompletedTranscription,
  OpenTranscription,
  TranscriptionProgress,
  TranscriptEdit,
  TranscriptionRecord,
  TranscriptionResult,
  TranscriptionStatus,
  TranscriptionSummary,
} from './transcription.ts';
import type { Voice, VoiceProfile } from './voice.ts';

// The tables of the database as the rest of the program sees them, one repository each.
// server/store implements them.

export type AccountRepository = {
  create(account: { name: string; plan: string }): Promise<Account>;
  find(id: string): Promise<Account | null>;
  /** All accounts, oldest first. */
  list(): Promise<Account[]>;
  /** The names of the plans that accounts have, in alphabetical order. */
  plansInUse(): Promise<string[]>;
  /** Null when there is no such account. */
  update(id: string, change: { plan?: string; blocked?: boolean }): Promise<Account | null>;
  /**
   * Deletes the account with everything that belongs to it. Returns its stored files, which the
   * caller deletes: uploads by key, samples by voice; null when there is no such account.
   */
  delete(id: string): Promise<{ uploadKeys: string[]; voiceIds: string[] } | null>;
  /**
   * Creates the account and its key only if the database has no account yet; null otherwise.
   * Atomic: two processes that start together create one owner.
   */
  createFirst(owner: { name: string; plan: string; key: NewApiKey }): Promise<Account | null>;
  /** The account that was created first, deleted or not: no two databases have the same. */
  firstId(): Promise<string | null>;
};

export type NewApiKey = { name: string; scopes: Scope[]; prefix: string; sha256: string };

export type ApiKeyRepository = {
  create(accountId: string, key: NewApiKey): Promise<ApiKey>;
  /** Finds a key that is not revoked, with its account, by the SHA-256 (hex) of the secret. */
  findByHash(sha256: string): Promise<{ key: ApiKey; account: Account } | null>;
  /** The same by the id of the key, with that hash. */
  find(id: string): Promise<{ key: ApiKey; account: Account; sha256: string } | null>;
  list(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key. Revoking twice returns true both times. */
  revoke(id: string): Promise<boolean>;
  /** Removes a key that only its own program knew. False when there is none. */
  delete(id: string): Promise<boolean>;
};

/**
 * Part of a monthly quota, taken before the work begins. It ends settled (charged with the amount
 * used) or released (given back in full).
 */
export type QuotaReservation = {
  id: string;
  accountId: string;
  unit: QuotaUnit;
  /** The quota period it was taken from (`quotaPeriod`); it is given back to the same period. */
  period: string;
  amount: number;
};

export type QuotaRepository = {
  /**
   * Takes `amount`, or nothing and returns null if that would exceed `limit` (null: unlimited).
   * Atomic: simultaneous calls never take the same unit. A second call with a `requestId` that
   * still has a reservation returns that reservation and takes nothing more. `heldBy: 'record'`
   * binds the reservation to the transcription with that id, so it outlives the process;
   * `'process'` binds it to this process, and it is given back soon after the process dies
   * (`releaseOrphaned`).
   */
  reserve(request: {
    accountId: string;
    unit: QuotaUnit;
    amount: number;
    limit: number | null;
    requestId: string;
    heldBy: 'record' | 'process';
  }): Promise<QuotaReservation | null>;
  /**
   * Raises a reservation to `amount` in all, atomically; a larger one stays. False, without a
   * change, when that would exceed `limit` (null: unlimited) or there is no such reservation.
   */
  grow(requestId: string, amount: number, limit: number | null): Promise<boolean>;
  /**
   * Charges `amount` and gives back (or adds) the difference. Only the first settle or release of a
   * request counts. When the database fails, the call throws and `endOverdue` repeats it later.
   */
  settle(requestId: string, amount: number): Promise<void>;
  /** Gives everything back; otherwise like `settle`. */
  release(requestId: string): Promise<void>;
  /**
   * Releases a reservation of which it is unknown whether it was made; again later, because its
   * commit may still arrive.
   */
  releaseUncertain(requestId: string): Promise<void>;
  /** Units used or reserved in the period that contains `atMs` (default: now). Has every unit. */
  used(accountId: string, atMs?: number): Promise<Record<QuotaUnit, number>>;
  /** Repeats the settles and releases of this process that failed. Throws if they fail again. */
  endOverdue(): Promise<void>;
  /**
   * Gives back the units of processes that are no longer registered as workers. The reservations
   * stay without counting, so a process that was only believed dead can still settle them in full.
   * Returns the number of reservations.
   */
  releaseOrphaned(): Promise<number>;
  /**
   * Takes back the units of this process that others released while they believed it dead, even
   * beyond the limit. Returns the number of reservations.
   */
  reclaim(): Promise<number>;
  /**
   * Releases reservations made before `beforeMs` that were never ended. Skips those of unfinished
   * transcriptions and of processes not found dead. Returns the number released.
   */
  releaseAbandoned(beforeMs: number): Promise<number>;
};

/** `workId`: the record whose job does the work. */
export type SavedProgress = Pick<TranscriptionRecord, 'status' | 'durationMs'> &
  TranscriptionProgress & { workId: string };

/** A record that joined another. */
export type JoinedRecord = Pick<TranscriptionRecord, 'id' | 'accountId' | 'callbackUrl' | 'blobKey'>;

export type TranscriptionRepository = {
  insert(record: TranscriptionRecord): Promise<void>;
  /**
   * Inserts a record, unless the account has a record of the same work (`cacheKey`) that is not
   * final: then the new one joins that one and gets its outcome, without work and charge of its
   * own. Returns the id of the record that it joined; null: it needs a reservation and a job.
   */
  insertOrJoin(record: OpenTranscription): Promise<string | null>;
  /** The records that joined this one. */
  joinedTo(id: string): Promise<JoinedRecord[]>;
  /**
   * Ends a few of the records that joined a final one, with its outcome and without charge: few
   * enough not to block others for long. Returns those; none: nothing waits for this record, or it
   * is not final. In a transaction, the record neither ends nor is deleted before that has ended.
   */
  endJoined(id: string): Promise<JoinedRecord[]>;
  /** Final records that others have joined which have not ended. */
  findUnendedWork(): Promise<string[]>;
  /**
   * The record that took over the work of a deleted one and needs a job now; null: none.
   */
  successorOf(deletedId: string): Promise<Pick<TranscriptionRecord, 'id' | 'accountId'> | null>;
  find(id: string): Promise<TranscriptionRecord | null>;
  /**
   * Whether a record with this id was deleted in the last two days, so that no other may have it.
   * After an insertion in the same transaction it also counts a deletion at the same time.
   */
  wasDeleted(id: string): Promise<boolean>;
  /**
   * Reads only what tells one state of a record from the next. `workId` is the record whose job
   * does the work: the one that it joined, otherwise itself.
   */
  findState(
    id: string,
  ): Promise<
    (Pick<TranscriptionRecord, 'accountId' | 'status' | 'createdAtMs' | 'editVersion'> & { workId: string }) | null
  >;
  /**
   * The progress of many records in one read, by id; unknown ids are missing. A record that joined
   * another has the progress of that one; `workId` as in `findState`.
   */
  findProgress(ids: readonly string[]): Promise<Map<string, SavedProgress>>;
  /** The latest completed record of the account with this cache key. An empty key finds nothing. */
  findFinished(accountId: string, cacheKey: string): Promise<CompletedTranscription | null>;
  /**
   * Newest first. `before` is the id of the last record of the previous page (an unknown id gives
   * an empty page); an id and not a time, because two records may share a millisecond.
   */
  list(
    accountId: string,
    page: { limit: number; before?: string; status?: TranscriptionStatus; batchId?: string },
  ): Promise<TranscriptionSummary[]>;
  /** The records of a batch that still exist, in the order of their recordings. */
  findBatch(accountId: string, batchId: string): Promise<TranscriptionSummary[]>;
  /**
   * Marks the record as processing: sets startedAtMs (the first time) and progressAtMs, resets the
   * progress. False when the record is final or deleted.
   */
  start(id: string): Promise<boolean>;
  /** False when the record is final or deleted, so the work can stop. */
  progress(id: string, progress: TranscriptionProgress): Promise<boolean>;
  /**
   * Records, before the text is sent, that a client receives text up to `endMs`: at least that much
   * is charged, whatever the outcome. False when the record is final or deleted.
   */
  handOut(id: string, endMs: number): Promise<boolean>;
  /**
   * Completes a record that is not final; otherwise returns false and changes nothing. Settles the
   * reservation with the record's id in the same transaction, so a crash cannot separate the two.
   * The records that joined it get the same outcome by `endJoined`.
   */
  complete(
    id: string,
    outcome: { result: TranscriptionResult; cacheKey: string; processingSeconds: number; creditsUsed: number },
  ): Promise<boolean>;
  /** Like `complete`, but only text that was handed out is charged. */
  fail(id: string, outcome: { error: SerializedError; processingSeconds: number | null }): Promise<boolean>;
  /**
   * Saves what a person changed and increments `editVersion` in one statement. Null when the
   * account has no such record. Throws `conflict` when its version is not `expectedVersion` (null:
   * any), and `storage_exceeded` as `StoredTextRepository.within` does.
   */
  saveEdit(
    id: string,
    accountId: string,
    change: { title?: string | null; edit?: TranscriptEdit },
    expectedVersion: number | null,
    textLimitBytes?: number | null,
  ): Promise<TranscriptionRecord | null>;
  /** Bytes of the kept recordings of an account. */
  keptBytes(accountId: string): Promise<number>;
  /**
   * The same, in a transaction: another one that asks waits for the end of this one, so that both
   * cannot count before either inserts.
   */
  keptBytesLocked(accountId: string): Promise<number>;
  /** Blob keys of the uploads of all records that are not final, and of kept recordings. */
  findNeededBlobKeys(): Promise<string[]>;
  /** Records that were started, are not final and made no progress since `beforeMs`. */
  findStuck(beforeMs: number): Promise<{ id: string; progressAtMs: number }[]>;
  /**
   * Also ends the reservation of a record that was not final: what was recognized is charged. A
   * record that joined it takes over work and reservation; see `successorOf`. Before, `endJoined`
   * in the same transaction must have found nothing that waits for it. False when the account has
   * no such record.
   */
  delete(id: string, accountId: string): Promise<boolean>;
  /**
   * Deletes some final records, of an account or that finished before a time, oldest first: few
   * enough not to block others for long. Those that others wait for (`endJoined`) stay. Returns the
   * blob key of each, because its upload may still be stored; none: nothing is left.
   */
  deleteFinished(which: { accountId: string } | { beforeMs: number }): Promise<Pick<TranscriptionRecord, 'blobKey'>[]>;
  /** Forgets at most `limit` ids of records deleted long ago. Returns the number. */
  forgetDeleted(limit: number): Promise<number>;
  countByStatus(): Promise<Record<TranscriptionStatus, number>>;
};

/** How much the transcriptions and corpora of an account store as text. */
export type StoredTextRepository = {
  /**
   * Bytes of results, corrections, options and corpora, and a kilobyte more for each record. A
   * transcription that is not final counts what its text is expected to have.
   */
  bytes(accountId: string): Promise<number>;
  /**
   * Runs `write`, which uses this transaction. Throws `storage_exceeded`, which ends it, when the
   * account then stores more than before and more than `limitBytes` (null: unlimited). Simultaneous
   * calls in PostgreSQL do not see one another, so each may pass where only one fits.
   */
  within<T>(accountId: string, limitBytes: number | null, write: () => Promise<T>): Promise<T>;
};

/** The first request made with an idempotency key, and its transcription. */
export type IdempotentRequest = { requestSha256: string; transcriptionId: string };

/**
 * Idempotency keys. A key older than a day, or whose transcription was deleted, counts as unused.
 */
export type IdempotencyKeyRepository = {
  find(accountId: string, key: string): Promise<IdempotentRequest | null>;
  /**
   * Binds the key to this request unless it is bound already, and returns the request it is bound
   * to. Call it in the transaction that inserts the transcription: of two simultaneous requests,
   * the second then waits for the first.
   */
  claim(request: IdempotentRequest & { accountId: string; key: string }): Promise<IdempotentRequest>;
  /** Deletes keys that are too old. Returns the number deleted. */
  deleteExpired(): Promise<number>;
};

/** What an Idempotency-Key says about a request that costs something. */
export type ChargeState =
  /** It is now bound to this request and its reservation. */
  | 'new'
  /** The same request was charged already. */
  | 'paid'
  /** The same request is running. */
  | 'running'
  /** Another request has this key. */
  | 'different'
  /** The same request was charged, and repeated as often as it may be. */
  | 'used-up';

/**
 * Idempotency keys of requests that leave no record, such as those for speech: the same request is
 * charged once. A key older than a day counts as unused, and so does one whose request was not
 * charged in the end.
 */
export type ChargedRequestRepository = {
  /**
   * Call it in the transaction that reserves the quota under `reservationId`: of two simultaneous
   * requests, the second then waits for the first. Counts the repetition of a paid request.
   */
  claim(request: {
    accountId: string;
    key: string;
    requestSha256: string;
    reservationId: string;
  }): Promise<ChargeState>;
  /** Deletes keys that are too old. Returns the number deleted. */
  deleteExpired(): Promise<number>;
};

/** A corpus of an account; shipped corpora are not in the database. */
export type PrivateCorpus = Corpus & { accountId: string };

/** The parts of a corpus to change; absent parts stay as they are. */
type CorpusChange = Partial<Pick<Corpus, 'name' | 'description' | 'language' | 'entries'>>;

/** Corpora of accounts. A corpus of another account is treated as missing. */
export type CorpusRepository = {
  /**
   * Creates version 1; null when the account already has `limit` corpora. The count is taken in the
   * same transaction, so simultaneous calls cannot exceed the limit together. Throws
   * `storage_exceeded` as `StoredTextRepository.within` does; so does `update`.
   */
  create(
    corpus: Omit<PrivateCorpus, 'id' | 'version'>,
    limit: number,
    textLimitBytes?: number | null,
  ): Promise<PrivateCorpus | null>;
  find(id: string, accountId: string): Promise<PrivateCorpus | null>;
  /** Oldest first, without the entries. */
  list(accountId: string): Promise<(CorpusSummary & { accountId: string })[]>;
  /**
   * Changes the corpus and increments its version in one statement. Null when there is no such
   * corpus. Throws `conflict` when its version is not `expectedVersion` (null: any).
   */
  update(
    id: string,
    accountId: string,
    change: CorpusChange,
    expectedVersion: number | null,
    textLimitBytes?: number | null,
  ): Promise<PrivateCorpus | null>;
  /** False when there is no such corpus. */
  delete(id: string, accountId: string): Promise<boolean>;
};

/** A voice of an account; shipped voices are not in the database. */
export type PrivateVoice = Voice & { accountId: string; consentedAtMs: number };

/** Voices of accounts. A voice of another account is treated as missing. */
export type VoiceRepository = {
  /**
   * False, and nothing is stored, when the account already has `limit` voices. The count is taken
   * in the same transaction, so simultaneous calls cannot exceed the limit together. `nameKey` is
   * the normalized name that `findByName` looks up.
   */
  create(voice: PrivateVoice, nameKey: string, limit: number): Promise<boolean>;
  count(accountId: string): Promise<number>;
  /** Whether any account has this voice; used to find samples without a voice. */
  exists(id: string): Promise<boolean>;
  find(id: string, accountId: string): Promise<PrivateVoice | null>;
  /** The oldest voice with that name. */
  findByName(nameKey: string, accountId: string): Promise<PrivateVoice | null>;
  /** Oldest first. */
  list(accountId: string): Promise<PrivateVoice[]>;
  /** Does nothing when the voice was deleted. */
  saveProfile(id: string, profile: VoiceProfile): Promise<void>;
  /** Does nothing when the voice was deleted. */
  saveTranscript(id: string, transcript: string): Promise<void>;
  /** False when there is no such voice. */
  delete(id: string, accountId: string): Promise<boolean>;
};

/** The secrets that sign an account's webhook deliveries. */
export type WebhookSecretRepository = {
  /** The account's secret; stores `fresh` as the secret when there is none yet. */
  findOrCreate(accountId: string, fresh: string): Promise<string>;
  replace(accountId: string, secret: string): Promise<void>;
};

/** A speaker of an account; `speaker` is the SHA-256 (hex) of the id that the client chose. */
type RegisterKey = { accountId: string; speaker: string; language: string };

/** Pitch registers of people whose pronunciation is scored. */
export type SpeakerRegisterRepository = {
  find(key: RegisterKey): Promise<SpeakerRegister | null>;
  /** Of two at the same time the later one stays; of an account, the 1,000 used last. */
  save(key: RegisterKey, register: SpeakerRegister): Promise<void>;
  /** Deletes those that no recording has used for half a year. */
  deleteUnused(nowMs: number): Promise<void>;
};
