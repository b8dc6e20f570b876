import { randomUUID } from 'node:crypto';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type {
  CompletedTranscription,
  OpenTranscription,
  TranscriptionOptions,
  TranscriptionRecord,
  TranscriptionRequest,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import { asCached, cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsFor } from '#features/transcription/transcribe.ts';
import type { Caller } from '#http/authentication.ts';
import type { HttpServices } from '#http/services.ts';
import type { UploadedFile } from '#http/upload.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import type { Transaction } from '#store/store.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import { newTranscriptionId } from './transcription-id.ts';

export type Submission = {
  caller: Caller;
  file: UploadedFile;
  options: TranscriptionOptions;
  /** Where the final record is to be sent; checked already. */
  callbackUrl: string | null;
  /** The caller's own `X-Request-Id` where the transcription should be found under it; null: a new id. */
  callersId: string | null;
  idempotencyKey: string | null;
};

type AcceptServices = Pick<
  HttpServices,
  'config' | 'store' | 'queue' | 'blobs' | 'probeAudio' | 'planTranscription' | 'corpora'
>;

/** What is written beside a new record, in its transaction. */
type Enqueue = (transaction: Transaction, record: TranscriptionRecord) => Promise<void>;

/**
 * From an upload to a transcription. A request that came before with the same `Idempotency-Key` gives its record. A text that the
 * account has already gives a record that is completed at once and costs nothing. Else the work is queued: quota, record and job
 * in one transaction. Throws AppError and leaves nothing behind; after it returns, the work is never lost.
 */
export async function acceptTranscription(
  submission: Submission,
  services: AcceptServices,
): Promise<TranscriptionRecord> {
  const { file, options, caller } = submission;
  const { store } = services;
  const earlier = await findEarlier(submission, services);
  if (earlier !== null) return earlier;
  if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
  const plan = services.planTranscription(options);
  const corpora = await services.corpora.versions(caller.account.id, options.corpusIds);
  const cacheKey = cacheKeyOf({ contentSha256: file.sha256, options, plan, corpora });
  const known = (await store.transcriptions.findFinished(caller.account.id, cacheKey))?.result ?? null;
  if (known !== null) {
    const makeRecord = (id: string) => completedRecord(newRecord(id, submission, plan, cacheKey), known);
    // A record that is final from the start is delivered like any other.
    return insertUnderFreeId(submission, services, makeRecord, (transaction, record) =>
      enqueueDelivery(transaction, record, services.queue),
    );
  }
  const durationMs = await declaredDurationMs(file, services);
  const blobKey = `uploads/${randomUUID()}`;
  await services.blobs.adopt(file.path, blobKey);
  let isKept = false;
  try {
    const makeRecord = (id: string) => ({ ...newRecord(id, submission, plan, cacheKey), durationMs, blobKey });
    const record = await insertUnderFreeId(submission, services, makeRecord, enqueueWork(caller, services));
    // Not when a simultaneous request with the same key was faster.
    isKept = record.blobKey === blobKey;
    return record;
  } finally {
    if (!isKept) await services.blobs.delete(blobKey);
  }
}

/** Before anything is looked at: a request that was accepted stays so, whatever has changed on the server meanwhile. */
async function findEarlier(
  { caller, idempotencyKey, ...parts }: Submission,
  { store }: AcceptServices,
): Promise<TranscriptionRecord | null> {
  if (idempotencyKey === null) return null;
  const first = await store.idempotencyKeys.find(caller.account.id, idempotencyKey);
  return first === null ? null : transcriptionOf(first, requestSha256Of(parts), store);
}

function requestSha256Of({ file, options, callbackUrl }: Pick<Submission, 'file' | 'options' | 'callbackUrl'>): string {
  return fingerprint({ contentSha256: file.sha256, options, callbackUrl });
}

function newRecord(
  id: string,
  { caller, file, options, callbackUrl }: Submission,
  plan: TranscriptionPlan,
  cacheKey: string,
): OpenTranscription {
  return {
    id,
    accountId: caller.account.id,
    // The interface knows no state between acceptance and `processing`; the queue knows what still waits.
    status: 'processing',
    blobKey: null,
    contentSha256: file.sha256,
    sizeBytes: file.sizeBytes,
    options,
    durationMs: 0,
    outputLanguage: options.language,
    plan,
    backend: plan.backend,
    cacheKey,
    callbackUrl,
    stage: 'queued',
    processedMs: 0,
    createdAtMs: Date.now(),
    startedAtMs: null,
    progressAtMs: null,
  };
}

/** A record of its own with the text of an earlier one, so that deleting either leaves the other whole. */
function completedRecord(request: TranscriptionRequest, known: TranscriptionResult): CompletedTranscription {
  const { durationMs, language, backend } = known;
  const finishedAtMs = Date.now();
  return {
    ...request,
    status: 'completed',
    result: asCached(known),
    durationMs,
    outputLanguage: language,
    backend,
    processingSeconds: 0,
    creditsUsed: 0,
    startedAtMs: finishedAtMs,
    finishedAtMs,
  };
}

/** A caller may send the same X-Request-Id again; the second transcription then gets an id of its own. */
async function insertUnderFreeId(
  submission: Submission,
  services: AcceptServices,
  makeRecord: (id: string) => TranscriptionRecord,
  enqueue: Enqueue,
): Promise<TranscriptionRecord> {
  const { store } = services;
  const { caller, callersId } = submission;
  const insert = (record: TranscriptionRecord) =>
    store.transaction((transaction) => insertOnce(transaction, record, submission, enqueue));
  const id = newTranscriptionId(callersId, caller.account.id);
  try {
    return await insert(makeRecord(id));
  } catch (thrown) {
    const isRefusal = thrown instanceof AppError && thrown.code !== 'conflict';
    if (callersId === null || isRefusal || (await store.transcriptions.find(id)) === null) throw thrown;
    return insert(makeRecord(randomUUID()));
  }
}

/** Gives the record that stands for the request afterwards: an earlier one, if its key was claimed by then. */
async function insertOnce(
  transaction: Transaction,
  record: TranscriptionRecord,
  { caller, idempotencyKey: key, ...parts }: Submission,
  enqueue: Enqueue,
): Promise<TranscriptionRecord> {
  if (key !== null) {
    const requestSha256 = requestSha256Of(parts);
    const claim = { accountId: caller.account.id, key, requestSha256, transcriptionId: record.id };
    const holder = await transaction.idempotencyKeys.claim(claim);
    if (holder.transcriptionId !== record.id) return transcriptionOf(holder, requestSha256, transaction);
  }
  await transaction.transcriptions.insert(record);
  await enqueue(transaction, record);
  return record;
}

function enqueueWork({ account, plan }: Caller, { queue }: AcceptServices): Enqueue {
  return async (transaction, { id, durationMs }) => {
    const reservation = await transaction.quotas.reserve({
      accountId: account.id,
      unit: 'stt_seconds',
      amount: creditsFor(durationMs),
      limit: plan.quotas.stt_seconds,
      requestId: id,
      heldBy: 'record',
    });
    if (reservation === null) {
      throw new AppError(
        'quota_exceeded',
        'This recording needs more seconds than the monthly quota of this account has left.',
      );
    }
    await queue.enqueue(transaction, { name: 'transcribe', payload: { transcriptionId: id }, accountId: account.id });
  };
}

/** What a header does not tell counts as nothing until the recording is decoded. */
async function declaredDurationMs(
  file: UploadedFile,
  { probeAudio, config }: Pick<AcceptServices, 'probeAudio' | 'config'>,
): Promise<number> {
  const durationMs = (await probeAudio(file.path)).declaredDurationMs ?? 0;
  if (durationMs > config.maxDurationMs) {
    const minutes = Math.floor(config.maxDurationMs / 60_000);
    const limit = minutes >= 1 ? `${minutes} minutes` : `${config.maxDurationMs / 1_000} seconds`;
    throw new AppError('audio_too_long', `The recording is longer than this service accepts, which is ${limit}.`);
  }
  return durationMs;
}
