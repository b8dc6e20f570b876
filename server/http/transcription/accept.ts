import { randomUUID } from 'node:crypto';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';
import {
  isFinal,
  KEPT_FOLDER,
  type TranscriptionOptions,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import { cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsFor } from '#features/transcription/credits.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { quotaRefusal } from '#http/quota.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import { transcriptionJob } from '#queue/transcription-job.ts';
import { checkKeptAudio, declaredDurationMs } from './check-recording.ts';
import { findEarlier, insertUnderFreeId, type PreparedTranscription } from './insert-once.ts';
import { completedRecord, failedRecord, newRecord, type Submission } from './new-record.ts';

export type AcceptDeps = Pick<
  ServerDeps,
  'config' | 'store' | 'queue' | 'blobs' | 'workers' | 'planTranscription' | 'corpora'
>;

/**
 * Makes a transcription of an upload. Returns the earlier record for a repeated `Idempotency-Key`.
 * Completes the record at once, without charge, when the account has the same result already; while
 * the same work goes on, the record joins it. Else writes quota reservation, record and job in one
 * transaction, so that an accepted job is never lost. Throws AppError and leaves nothing behind.
 */
export async function acceptTranscription(request: Submission, deps: AcceptDeps): Promise<TranscriptionRecord> {
  const submission = { ...request, options: optionsHere(request.options, deps) };
  const earlier = await findEarlier(submission, deps.store);
  if (earlier !== null) return earlier;
  const prepared = await prepareTranscription(submission, deps);
  const { blobKey } = prepared;
  let isKept = false;
  try {
    const record = await insertUnderFreeId(submission, deps.store, prepared);
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
  const cachedResult = (await deps.store.transcriptions.findFinished(caller.account.id, cacheKey))?.result ?? null;
  const folder = options.keepAudio === true ? KEPT_FOLDER : 'uploads';
  const adopt = async () => {
    const key = `${folder}/${randomUUID()}`;
    await deps.blobs.adopt(file.path, key);
    return key;
  };
  if (cachedResult !== null) {
    const blobKey = options.keepAudio === true ? await adopt() : null;
    const makeRecord = (id: string) => completedRecord({ ...request(id), blobKey }, cachedResult);
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

/** Applies the server's settings to the options: ZH_MEANS, HONG_KONG_STYLE and KEEP_AUDIO. */
export function optionsHere(options: TranscriptionOptions, { config }: AcceptDeps): TranscriptionOptions {
  const { zhMeans, hongKongStyle, keepAudio } = config;
  return {
    ...options,
    ...(options.language === 'chinese' && zhMeans !== 'auto' ? { language: zhMeans } : {}),
    ...(hongKongStyle === 'everyday' ? { everydaySpelling: true as const } : {}),
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
      await queue.enqueue(transaction, transcriptionJob(record));
    },
  };
}
