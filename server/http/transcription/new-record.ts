import {
  asCached,
  type CompletedTranscription,
  type FailedTranscription,
  type OpenTranscription,
  type TranscriptionBatch,
  type TranscriptionOptions,
  type TranscriptionRequest,
  type TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import type { AppError } from '@jyutsing/contracts/errors';
import type { Caller } from '#http/authentication.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { titleOfFile } from './title-of-file.ts';

/** A request for one or several transcriptions, without its recordings. */
export type SubmissionRequest = {
  caller: Caller;
  options: TranscriptionOptions;
  /** Checked URL to which the final record is sent. */
  callbackUrl: string | null;
  /** The title that the client gives the recording; null: the name of its file. */
  title: string | null;
  /** The client's `X-Request-Id` if the transcription can be polled by it; null: a new id. */
  callersId: string | null;
  idempotencyKey: string | null;
};

export type Submission = SubmissionRequest & { file: UploadedFile; batch?: TranscriptionBatch };

/** A record of which nothing is planned yet. */
export function newRecord(
  id: string,
  { caller, file, options, callbackUrl, title, batch }: Submission,
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
    plan: null,
    backend: '',
    cacheKey: '',
    callbackUrl,
    batchId: batch?.id ?? null,
    batchPosition: batch?.position ?? null,
    title: title ?? titleOfFile(file.name),
    editVersion: 0,
    editedAtMs: null,
    stage: 'queued',
    processedMs: 0,
    createdAtMs: Date.now(),
    startedAtMs: null,
    progressAtMs: null,
  };
}

/** Copies the result of an earlier record, so that either record can be deleted on its own. */
export function completedRecord(request: TranscriptionRequest, result: TranscriptionResult): CompletedTranscription {
  const { durationMs, language, backend } = result;
  const finishedAtMs = Date.now();
  return {
    ...request,
    status: 'completed',
    result: asCached(result),
    edit: null,
    durationMs,
    outputLanguage: language,
    backend,
    processingSeconds: 0,
    creditsUsed: 0,
    startedAtMs: finishedAtMs,
    finishedAtMs,
  };
}

/** A record for a recording that cannot be transcribed. */
export function failedRecord(id: string, submission: Submission, { code, message }: AppError): FailedTranscription {
  const request = newRecord(id, submission);
  const finishedAtMs = request.createdAtMs;
  return { ...request, status: 'failed', error: { code, message }, processingSeconds: 0, finishedAtMs };
}
