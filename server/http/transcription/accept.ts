import { randomUUID } from 'node:crypto';
import type { Plan } from '@jyutsing/contracts/accounts';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';
import {
  isFinal,
  isKeptRecording,
  KEPT_FOLDER,
  type TranscriptionOptions,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import { textLimitBytes } from '#features/accounts/plans.ts';
import { cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsFor } from '#features/transcription/credits.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { quotaRefusal } from '#http/quota.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import { enqueueTranscription } from '#queue/enqueue-transcription.ts';
import type { Repositories, Transaction } from '#store/store.ts';
import { probe } from '#workers/tasks/probe.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import { completedRecord, failedRecord, newRecord, type Submission } from './new-record.ts';
import { newTranscriptionId } from './transcription-id.ts';

export type AcceptDeps = Pick<
  ServerDeps,
  'config' | 'store' | 'queue' | 'blobs' | 'workers' | 'planTranscription' | 'corpora'
>;

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

/**
 * Makes a transcription of an upload. Returns the earlier record for a repeated `Idempotency-Key`.
 * Completes the record at once, without charge, when the account has the same result already; while
 * the same work goes on, the record joins it. Else writes quota reservation, record and job in one
 * transaction, so that an accepted job is never lost. Throws AppError and leaves nothing behind.
 */
export async function acceptTranscription(sent: Submission, deps: AcceptDeps): Promise<TranscriptionRecord> {
  const submission = { ...sent, options: optionsHere(sent.options, deps) };
  const earlier = await findEarlier(submission, deps);
  if (earlier !== null) return earlier;
  const prepared = await prepareTranscription(submission, deps);
  const { blobKey } = prepared;
  let isKept = false;
  try {
    const record = await insertUnderFreeId(submission, deps, prepared);
    // False when a simultaneous request with the same Idempotency-Key was first.
    isKept = record.blobKey === blobKey;
    return record;
  } catch (failure) {
    // Housekeeping deletes the upload if there is no record after all.
    isKept = failure instanceof UncertainCommit;
    throw failure;
  } finally {
    if (blobKey !== null && !isKept) await deps.blobs.delete(blobKey);
  }
}

/** Runs first: an accepted request stays accepted, whatever changed on the server since. */
async function findEarlier(
  { caller, idempotencyKey, ...parts }: Submission,
  { store }: AcceptDeps,
): Promise<TranscriptionRecord | null> {
  if (idempotencyKey === null) return null;
  const first = await store.idempotencyKeys.find(caller.account.id, idempotencyKey);
  return first === null ? null : transcriptionOf(first, requestSha256Of(parts), store);
}

function requestSha256Of({ file, options, callbackUrl }: Pick<Submission, 'file' | 'options' | 'callbackUrl'>): string {
  return fingerprint({ contentSha256: file.sha256, options, callbackUrl });
}

/** A second transcription with the same `X-Request-Id`, even of a deleted one, gets a new id. */
async function insertUnderFreeId(
  submission: Submission,
  { store }: AcceptDeps,
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

/**
 * Checks a recording and stores it, unless the account has its result already. Throws AppError for
 * one that cannot be transcribed and leaves nothing behind.
 */
export async function prepareTranscription(submission: Submission, deps: AcceptDeps): Promise<PreparedTranscription> {
  const { file, options, caller } = submission;
  if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
  const plan = deps.planTranscription(options);
  const corpora = await deps.corpora.versions(caller.account.id, options.corpusIds);
  const cacheKey = cacheKeyOf({ contentSha256: file.sha256, options, plan, corpora });
  const request = (id: string) => ({ ...newRecord(id, submission), plan, backend: plan.backend, cacheKey });
  const known = (await deps.store.transcriptions.findFinished(caller.account.id, cacheKey))?.result ?? null;
  const folder = options.keepAudio === true ? KEPT_FOLDER : 'uploads';
  const adopt = async () => {
    const key = `${folder}/${randomUUID()}`;
    await deps.blobs.adopt(file.path, key);
    return key;
  };
  if (known !== null) {
    const blobKey = options.keepAudio === true ? await adopt() : null;
    const makeRecord = (id: string) => completedRecord({ ...request(id), blobKey }, known);
    return { makeRecord, ...insertFinal(caller, deps), blobKey };
  }
  const durationMs = await declaredDurationMs(submission, deps);
  const blobKey = await adopt();
  return {
    makeRecord: (id) => ({ ...request(id), durationMs, blobKey }),
    ...insertWork(caller, deps),
    blobKey,
  };
}

/** A record for a recording that cannot be transcribed. */
export function prepareFailure(submission: Submission, refusal: AppError, deps: AcceptDeps): PreparedTranscription {
  return {
    makeRecord: (id) => failedRecord(id, submission, refusal),
    ...insertFinal(submission.caller, deps),
    blobKey: null,
  };
}

type Writing = Pick<PreparedTranscription, 'insert' | 'begin'>;

/** A final record is delivered to its callback like any other. */
function insertFinal({ plan }: Caller, { queue }: AcceptDeps): Writing {
  return {
    async insert(transaction, record) {
      await checkKeptAudio(transaction, record, plan);
      await transaction.transcriptions.insert(record);
      return true;
    },
    begin: (transaction, record) => enqueueDelivery(transaction, record, queue),
  };
}

/** Applies the server's settings to the options: ZH_MEANS and KEEP_AUDIO. */
export function optionsHere(options: TranscriptionOptions, { config }: AcceptDeps): TranscriptionOptions {
  const { zhMeans, keepAudio } = config;
  return {
    ...options,
    ...(options.language === 'chinese' && zhMeans !== 'auto' ? { language: zhMeans } : {}),
    ...(keepAudio ? { keepAudio: true as const } : {}),
  };
}

function insertWork({ account, plan }: Caller, { queue }: AcceptDeps): Writing {
  return {
    async insert(transaction, record) {
      if (isFinal(record)) throw new AppError('internal_error', undefined, { cause: 'work for a final record' });
      await checkKeptAudio(transaction, record, plan);
      return (await transaction.transcriptions.insertOrJoin(record)) === null;
    },
    async begin(transaction, record) {
      const { id, durationMs } = record;
      const reservation = await transaction.quotas.reserve({
        accountId: account.id,
        unit: 'stt_seconds',
        amount: creditsFor(durationMs),
        limit: plan.quotas.stt_seconds,
        requestId: id,
        heldBy: 'record',
      });
      if (reservation === null) {
        throw quotaRefusal(
          account,
          'This recording needs more seconds than the monthly quota of this account has left.',
        );
      }
      await enqueueTranscription(transaction, record, queue);
    },
  };
}

/** Throws `storage_exceeded` when a recording to keep is more than the plan allows. */
async function checkKeptAudio(
  transaction: Transaction,
  { accountId, blobKey, sizeBytes }: TranscriptionRecord,
  { keptAudioMb }: Plan,
): Promise<void> {
  if (keptAudioMb === null || !isKeptRecording(blobKey)) return;
  const keptBytes = await transaction.transcriptions.keptBytesLocked(accountId);
  if (keptBytes + sizeBytes > keptAudioMb * 1e6) {
    throw new AppError(
      'storage_exceeded',
      'The plan keeps no more recordings; delete some, or send this one without "keep_audio".',
    );
  }
}

/** 0 when the file does not declare its duration; it is known after decoding. */
async function declaredDurationMs(
  { file, caller }: Submission,
  { workers, config }: Pick<AcceptDeps, 'workers' | 'config'>,
): Promise<number> {
  const durationMs = (await workers.run(probe, { path: file.path }, caller.account.id)).declaredDurationMs ?? 0;
  if (durationMs > config.maxDurationMs) {
    const minutes = Math.floor(config.maxDurationMs / 60_000);
    const limit = minutes >= 1 ? `${minutes} minutes` : `${config.maxDurationMs / 1_000} seconds`;
    throw new AppError('audio_too_long', `The recording is longer than this service accepts, which is ${limit}.`);
  }
  return durationMs;
}
