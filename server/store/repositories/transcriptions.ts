import type { SerializedError } from '@jyutsing/contracts/errors';
import type {
  CompletedTranscription,
  OpenTranscription,
  TranscriptionProgress,
  TranscriptEdit,
  TranscriptionRecord,
  TranscriptionResult,
  TranscriptionStatus,
  TranscriptionSummary,
} from '@jyutsing/contracts/transcription';

/** The progress of a record; `workId` is the record whose job does the work. */
export type SavedProgress = Pick<TranscriptionRecord, 'status' | 'durationMs'> &
  TranscriptionProgress & { workId: string };

/** A record that joined another. */
export type JoinedRecord = Pick<TranscriptionRecord, 'id' | 'accountId' | 'callbackUrl' | 'blobKey'>;

/** Transcription records with their requests, progress and results. */
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
    page: { limit: number; before?: string; status?: TranscriptionStatus; batchId?: string; tags?: readonly string[] },
  ): Promise<TranscriptionSummary[]>;
  /** The records of an account among these, by id, without texts. */
  findListed(accountId: string, ids: readonly string[]): Promise<Map<string, TranscriptionSummary>>;
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
   * Deletes a record and ends the reservation of one that was not final: the recognized part is
   * charged. A record that joined it takes over work and reservation; see `successorOf`. Before,
   * `endJoined` in the same transaction must have found nothing that waits for it. Returns false
   * when the account has no such record.
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
