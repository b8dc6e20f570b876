import { randomUUID } from 'node:crypto';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { textLimitBytes } from '#features/accounts/plans.ts';
import type { Repositories, Store, Transaction } from '#store/store.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import type { Submission } from './new-record.ts';
import { newTranscriptionId } from './transcription-id.ts';

/** A transcription that can be written, in one transaction. */
export type PreparedTranscription = {
  makeRecord(id: string): TranscriptionRecord;
  /** Writes the record. True: call `begin` next. */
  insert(transaction: Transaction, record: TranscriptionRecord): Promise<boolean>;
  /** Reserves quota and enqueues the job, or the delivery of a record that is final already. */
  begin(transaction: Transaction, record: TranscriptionRecord): Promise<void>;
  /** The stored upload, which the caller deletes when the record is not written; null: none. */
  blobKey: string | null;
};

/** Runs first: an accepted request stays accepted, whatever changed on the server since. */
export async function findEarlier(
  { caller, idempotencyKey, ...parts }: Submission,
  store: Store,
): Promise<TranscriptionRecord | null> {
  if (idempotencyKey === null) return null;
  const first = await store.idempotencyKeys.find(caller.account.id, idempotencyKey);
  return first === null ? null : transcriptionOf(first, requestSha256Of(parts), store);
}

function requestSha256Of({ file, options, callbackUrl }: Pick<Submission, 'file' | 'options' | 'callbackUrl'>): string {
  return fingerprint({ contentSha256: file.sha256, options, callbackUrl });
}

/** A second transcription with the same `X-Request-Id`, even of a deleted one, gets a new id. */
export async function insertUnderFreeId(
  submission: Submission,
  store: Store,
  { makeRecord, ...writing }: PreparedTranscription,
): Promise<TranscriptionRecord> {
  const { caller, callersId } = submission;
  const insert = (record: TranscriptionRecord) =>
    store.transaction((transaction) => insertOnce(transaction, record, submission, writing));
  const id = newTranscriptionId(callersId, caller.account.id);
  try {
    return await insert(makeRecord(id));
  } catch (thrown) {
    const isRefusal = thrown instanceof AppError && thrown.code !== 'conflict';
    if (callersId === null || isRefusal || !(await isTaken(id, store))) throw thrown;
    return insert(makeRecord(randomUUID()));
  }
}

async function isTaken(id: string, { transcriptions }: Pick<Repositories, 'transcriptions'>): Promise<boolean> {
  return (await transcriptions.find(id)) !== null || transcriptions.wasDeleted(id);
}

/** Returns the earlier record when the Idempotency-Key was claimed meanwhile. */
async function insertOnce(
  transaction: Transaction,
  record: TranscriptionRecord,
  { caller, callersId, idempotencyKey: key, ...parts }: Submission,
  { insert, begin }: Pick<PreparedTranscription, 'insert' | 'begin'>,
): Promise<TranscriptionRecord> {
  if (key !== null) {
    const requestSha256 = requestSha256Of(parts);
    const claim = { accountId: caller.account.id, key, requestSha256, transcriptionId: record.id };
    const holder = await transaction.idempotencyKeys.claim(claim);
    if (holder.transcriptionId !== record.id) return transcriptionOf(holder, requestSha256, transaction);
  }
  const limitBytes = textLimitBytes(caller.plan);
  const write = () => insert(transaction, record);
  const needsWork = await transaction.storedText.within(record.accountId, limitBytes, write);
  if (callersId !== null && (await transaction.transcriptions.wasDeleted(record.id))) {
    throw new AppError('conflict', 'The id of this request belonged to a deleted transcription.');
  }
  if (needsWork) await begin(transaction, record);
  return record;
}
