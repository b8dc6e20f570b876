import { randomUUID } from 'node:crypto';
import type { FastifyContextConfig, FastifyReply } from 'fastify';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { ModelCatalog } from '@jyutsing/contracts/model-catalog';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import {
  asCached,
  isFinal,
  type CompletedTranscription,
  type OpenTranscription,
  type TranscriptionOptions,
  type TranscriptionRecord,
  type TranscriptionRequest,
  type TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import { cacheKeyOf } from '#features/transcription/cache-key.ts';
import { creditsFor } from '#features/transcription/transcribe.ts';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { formBody, missingFile, type ReceivedForm, type UploadLimits } from '#http/form-body.ts';
import { modelNamed } from '#http/known-model.ts';
import { quotaRefusal } from '#http/quota.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile, UploadOptions } from '#http/upload.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import type { Transaction } from '#store/store.ts';
import { probe } from '#workers/tasks/probe.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import { newTranscriptionId } from './transcription-id.ts';

export const SUBMISSION_AUTH = { scope: 'stt', rateLimit: 'request' } as const;

/** Errors of receiving, accepting and waiting for a transcription. */
export const SUBMISSION_ERRORS = [
  'missing_file',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'audio_too_long',
  'quota_exceeded',
  'engine_failed',
  'engine_unavailable',
  'timed_out',
  'invalid_parameter',
] as const satisfies ErrorCode[];

type SubmissionForm<Input> = Pick<UploadOptions, 'fileField' | 'otherFileFields' | 'fieldNames' | 'listFieldNames'> & {
  docs: Pick<FastifyContextConfig, 'form'>;
  parse(form: ReceivedForm & { file: UploadedFile }): Input;
  /** Makes the input of a form without a file; absent: it is refused. */
  parseWithoutFile?(form: ReceivedForm): Input;
};

/** A form with a recording to transcribe. */
export function submissionBody<Input>(form: SubmissionForm<Input>, limits: UploadLimits): BodyReader<Input> {
  return formBody<Input>({
    ...form,
    limits,
    parse({ file, ...received }) {
      if (file !== null) return form.parse({ ...received, file });
      if (form.parseWithoutFile === undefined) throw missingFile('audio', form.fileField);
      return form.parseWithoutFile({ ...received, file });
    },
    parseOther({ headers }) {
      if (headers['content-type'] === undefined) throw missingFile('audio', form.fileField);
      throw new AppError('unsupported_media_type');
    },
  });
}

type Submission = {
  caller: Caller;
  file: UploadedFile;
  options: TranscriptionOptions;
  /** Checked URL to which the final record is sent. */
  callbackUrl: string | null;
  /** The client's `X-Request-Id` if the transcription can be polled by it; null: a new id. */
  callersId: string | null;
  idempotencyKey: string | null;
};

/**
 * The model that a submission names, null for the best one. A name that this server does not know
 * is reported in a header of the answer.
 */
export function modelFor(sent: string | null, models: ModelCatalog, reply: FastifyReply): string | null {
  const { name, headers } = modelNamed(models, 'recognizer', sent);
  reply.headers(headers);
  return name;
}

export type AcceptDeps = Pick<
  ServerDeps,
  'config' | 'store' | 'queue' | 'blobs' | 'workers' | 'planTranscription' | 'corpora'
>;

/** Writes a new record and what belongs to it. */
type Insert = (transaction: Transaction, record: TranscriptionRecord) => Promise<void>;

/**
 * Makes a transcription of an upload. Returns the earlier record for a repeated `Idempotency-Key`.
 * Completes the record at once, without charge, when the account has the same result already; while
 * the same work goes on, the record joins it. Else writes quota reservation, record and job in one
 * transaction, so that an accepted job is never lost. Throws AppError and leaves nothing behind.
 */
export async function acceptTranscription(sent: Submission, deps: AcceptDeps): Promise<TranscriptionRecord> {
  const { zhMeans } = deps.config;
  // The operator may know better than the ear what a client means by `zh`.
  const language = sent.options.language === 'chinese' && zhMeans !== 'auto' ? zhMeans : sent.options.language;
  const submission = { ...sent, options: { ...sent.options, language } };
  const { file, options, caller } = submission;
  const { store } = deps;
  const earlier = await findEarlier(submission, deps);
  if (earlier !== null) return earlier;
  if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
  const plan = deps.planTranscription(options);
  const corpora = await deps.corpora.versions(caller.account.id, options.corpusIds);
  const cacheKey = cacheKeyOf({ contentSha256: file.sha256, options, plan, corpora });
  const known = (await store.transcriptions.findFinished(caller.account.id, cacheKey))?.result ?? null;
  if (known !== null) {
    const makeRecord = (id: string) => completedRecord(newRecord(id, submission, plan, cacheKey), known);
    // A completed record is delivered to its callback like any other.
    return insertUnderFreeId(submission, deps, makeRecord, async (transaction, record) => {
      await transaction.transcriptions.insert(record);
      await enqueueDelivery(transaction, record, deps.queue);
    });
  }
  const durationMs = await declaredDurationMs(submission, deps);
  const blobKey = `uploads/${randomUUID()}`;
  await deps.blobs.adopt(file.path, blobKey);
  let isKept = false;
  try {
    const makeRecord = (id: string) => ({ ...newRecord(id, submission, plan, cacheKey), durationMs, blobKey });
    const record = await insertUnderFreeId(submission, deps, makeRecord, insertWork(caller, deps));
    // False when a simultaneous request with the same Idempotency-Key was first.
    isKept = record.blobKey === blobKey;
    return record;
  } finally {
    if (!isKept) await deps.blobs.delete(blobKey);
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

function newRecord(
  id: string,
  { caller, file, options, callbackUrl }: Submission,
  plan: TranscriptionPlan,
  cacheKey: string,
): OpenTranscription {
  return {
    id,
    accountId: caller.account.id,
    // The interface has no state before `processing`; the queue knows which jobs wait.
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

/** Copies the result of an earlier record, so that either record can be deleted on its own. */
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

/** A second transcription with the same `X-Request-Id` gets a new id. */
async function insertUnderFreeId(
  submission: Submission,
  deps: AcceptDeps,
  makeRecord: (id: string) => TranscriptionRecord,
  write: Insert,
): Promise<TranscriptionRecord> {
  const { store } = deps;
  const { caller, callersId } = submission;
  const insert = (record: TranscriptionRecord) =>
    store.transaction((transaction) => insertOnce(transaction, record, submission, write));
  const id = newTranscriptionId(callersId, caller.account.id);
  try {
    return await insert(makeRecord(id));
  } catch (thrown) {
    const isRefusal = thrown instanceof AppError && thrown.code !== 'conflict';
    if (callersId === null || isRefusal || (await store.transcriptions.find(id)) === null) throw thrown;
    return insert(makeRecord(randomUUID()));
  }
}

/** Returns the earlier record when the Idempotency-Key was claimed meanwhile. */
async function insertOnce(
  transaction: Transaction,
  record: TranscriptionRecord,
  { caller, idempotencyKey: key, ...parts }: Submission,
  write: Insert,
): Promise<TranscriptionRecord> {
  if (key !== null) {
    const requestSha256 = requestSha256Of(parts);
    const claim = { accountId: caller.account.id, key, requestSha256, transcriptionId: record.id };
    const holder = await transaction.idempotencyKeys.claim(claim);
    if (holder.transcriptionId !== record.id) return transcriptionOf(holder, requestSha256, transaction);
  }
  await write(transaction, record);
  return record;
}

function insertWork({ account, plan }: Caller, { queue }: AcceptDeps): Insert {
  return async (transaction, record) => {
    if (isFinal(record)) throw new AppError('internal_error', undefined, { cause: 'work for a final record' });
    if ((await transaction.transcriptions.insertOrJoin(record)) !== null) return;
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
      throw quotaRefusal(account, 'This recording needs more seconds than the monthly quota of this account has left.');
    }
    await queue.enqueue(transaction, { name: 'transcribe', payload: { transcriptionId: id }, accountId: account.id });
  };
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
