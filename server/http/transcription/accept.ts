import { randomUUID } from 'node:crypto';
import type { FastifyContextConfig, FastifyReply } from 'fastify';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { ModelCatalog } from '@jyutsing/contracts/model-catalog';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { formBody, missingFile, type FormParts, type ReceivedForm, type UploadLimits } from '#http/form-body.ts';
import { modelNamed } from '#http/known-model.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile } from '#http/upload.ts';
import type { Transaction } from '#store/store.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import {
  optionsHere,
  prepareTranscription,
  type AcceptDeps,
  type PreparedTranscription,
  type Submission,
} from './prepare.ts';
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

type SubmissionForm<Input> = FormParts & {
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

/**
 * The model that a submission names, null for the best one. A name that this server does not know
 * is reported in a header of the answer.
 */
export function modelFor(sent: string | null, models: ModelCatalog, reply: FastifyReply): string | null {
  const { name, headers } = modelNamed(models, 'recognizer', sent);
  reply.headers(headers);
  return name;
}

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

/** A second transcription with the same `X-Request-Id` gets a new id. */
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
    if (callersId === null || isRefusal || (await store.transcriptions.find(id)) === null) throw thrown;
    return insert(makeRecord(randomUUID()));
  }
}

/** Returns the earlier record when the Idempotency-Key was claimed meanwhile. */
async function insertOnce(
  transaction: Transaction,
  record: TranscriptionRecord,
  { caller, idempotencyKey: key, ...parts }: Submission,
  { insert, begin }: Pick<PreparedTranscription, 'insert' | 'begin'>,
): Promise<TranscriptionRecord> {
  if (key !== null) {
    const requestSha256 = requestSha256Of(parts);
    const claim = { accountId: caller.account.id, key, requestSha256, transcriptionId: record.id };
    const holder = await transaction.idempotencyKeys.claim(claim);
    if (holder.transcriptionId !== record.id) return transcriptionOf(holder, requestSha256, transaction);
  }
  if (await insert(transaction, record)) await begin(transaction, record);
  return record;
}
