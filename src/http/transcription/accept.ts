import { randomUUID } from 'node:crypto';
import { AppError } from '#contracts/errors.ts';
import type { TranscriptionOptions, TranscriptionRecord } from '#contracts/transcription.ts';
import { cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsFor } from '#features/transcription/transcribe.ts';
import type { Caller } from '#http/authentication.ts';
import type { HttpServices } from '#http/services.ts';
import type { UploadedFile } from '#http/upload.ts';
import type { Transaction } from '#store/store.ts';
import { newTranscriptionId } from './transcription-id.ts';

export type Submission = {
  caller: Caller;
  file: UploadedFile;
  options: TranscriptionOptions;
  /** The caller's own `X-Request-Id` where the transcription should be found under it; null: a new id. */
  callersId: string | null;
};

type AcceptServices = Pick<
  HttpServices,
  'config' | 'store' | 'queue' | 'blobs' | 'probeAudio' | 'planTranscription' | 'corpora'
>;

/**
 * From an upload to a queued transcription: what the file is, who will recognise it, then quota, record and job in one
 * transaction. Throws AppError and leaves nothing behind; after it returns, the work is never lost.
 */
export async function acceptTranscription(
  submission: Submission,
  services: AcceptServices,
): Promise<TranscriptionRecord> {
  const { file, options, caller } = submission;
  if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
  const plan = services.planTranscription(options);
  const corpora = await services.corpora.versions(caller.account.id, options.corpusIds);
  const durationMs = await declaredDurationMs(file, services);
  const blobKey = `uploads/${randomUUID()}`;
  await services.blobs.adopt(file.path, blobKey);
  const record = (id: string): TranscriptionRecord => ({
    id,
    accountId: caller.account.id,
    // The interface knows no state between acceptance and `processing`; the queue knows what still waits.
    status: 'processing',
    blobKey,
    contentSha256: file.sha256,
    sizeBytes: file.sizeBytes,
    options,
    durationMs,
    outputLanguage: options.language,
    backend: plan.backend,
    cacheKey: cacheKeyOf({ contentSha256: file.sha256, options, plan, corpora }),
    callbackUrl: null,
    stage: 'queued',
    processedMs: 0,
    result: null,
    error: null,
    processingSeconds: null,
    creditsUsed: null,
    createdAtMs: Date.now(),
    startedAtMs: null,
    progressAtMs: null,
    finishedAtMs: null,
  });
  try {
    return await insertUnderFreeId(submission, services, record);
  } catch (thrown) {
    await services.blobs.delete(blobKey);
    throw thrown;
  }
}

/** A caller may send the same X-Request-Id again; the second transcription then gets an id of its own. */
async function insertUnderFreeId(
  { caller, callersId }: Submission,
  services: AcceptServices,
  makeRecord: (id: string) => TranscriptionRecord,
): Promise<TranscriptionRecord> {
  const { store } = services;
  const insert = async (record: TranscriptionRecord) => {
    await store.transaction((transaction) => enqueue(transaction, record, caller, services));
    return record;
  };
  const id = newTranscriptionId(callersId, caller.account.id);
  try {
    return await insert(makeRecord(id));
  } catch (thrown) {
    const isRefusal = thrown instanceof AppError && thrown.code !== 'conflict';
    if (callersId === null || isRefusal || (await store.transcriptions.find(id)) === null) throw thrown;
    return insert(makeRecord(randomUUID()));
  }
}

async function enqueue(
  transaction: Transaction,
  record: TranscriptionRecord,
  { account, plan }: Caller,
  { queue }: AcceptServices,
): Promise<void> {
  const reservation = await transaction.quotas.reserve({
    accountId: account.id,
    unit: 'stt_seconds',
    amount: creditsFor(record.durationMs),
    limit: plan.quotas.stt_seconds,
    requestId: record.id,
  });
  if (reservation === null) {
    throw new AppError(
      'quota_exceeded',
      'This recording needs more seconds than the monthly quota of this account has left.',
    );
  }
  await transaction.transcriptions.insert(record);
  await queue.enqueue(transaction, {
    name: 'transcribe',
    payload: { transcriptionId: record.id },
    accountId: account.id,
  });
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
