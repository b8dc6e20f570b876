import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord, TranscriptionSummary } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { IdempotencyHeaders } from '#http/idempotency-key.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import type { AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { acceptTranscription, type AcceptDeps } from './accept.ts';
import { acceptBatch } from './accept-batch.ts';
import { download } from './download.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { viewBatch, viewBlocking } from './record-view.ts';
import { BatchAnswer, BlockingAnswer, BlockingForm, MAX_BATCH_FILES, SubmitAnswer, SubmitForm } from './schema.ts';
import type { SubmissionRequest } from './new-record.ts';
import { recordingForm, type SubmittedForm } from './recording-form.ts';
import { modelFor, SUBMISSION_AUTH, SUBMISSION_ERRORS } from './submission-form.ts';
import { answerUnderIdOf } from './transcription-id.ts';

const IDEMPOTENCY = `Requests with the same \`Idempotency-Key\` within a day return the same transcription.`;

type RouteDeps = AcceptDeps & Pick<ServerDeps, 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** Speech-to-text: submit a recording, or wait for its text. */
export function addSubmitRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const { blockingByDefault, webhooksAllowPrivate } = deps.config;
  const policy = { allowPrivate: webhooksAllowPrivate };
  const byDefault = blockingByDefault ? ' This server waits unless `wait_for_completion=false` is sent.' : '';
  addRoute({
    method: 'POST',
    paths: ['/api/stt'],
    docs: {
      tags: ['Speech-to-text'],
      operationId: 'submitTranscription',
      summary: 'Submit a recording, or wait for its text',
      description: `Answers with a \`request_id\` to poll, or with \`wait_for_completion=true\` with the text.${byDefault} When the
connection of a waiting call breaks, the transcription continues: poll its \`X-Request-Id\`, which you may choose. Up to
${MAX_BATCH_FILES} recordings, each in a part \`data\` of its own, become a batch: all are accepted, with quota for all, or none; each has its own
record, failed at once when the recording cannot be read. A batch cannot be waited for. ${IDEMPOTENCY}`,
      headers: IdempotencyHeaders,
      ok: z.union([SubmitAnswer, BatchAnswer, BlockingAnswer]),
      errors: [...SUBMISSION_ERRORS, 'concurrency_exceeded'],
    },
    auth: SUBMISSION_AUTH,
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: recordingForm(SubmitForm, policy, deps.uploads),
    async run(context): Promise<Submitted> {
      const { files, waitForCompletion } = context.input;
      if (files.length > 1) {
        if (waitForCompletion === true) throw refuseToWait();
        return { files, batch: await submitBatch(context, deps) };
      }
      const isWaiting = waitForCompletion ?? blockingByDefault;
      if (isWaiting) await context.occupy('waits');
      return { record: await submit(context, deps, isWaiting), isWaiting };
    },
    answer(submitted, context) {
      if ('batch' in submitted) return viewBatch(submitted.batch, submitted.files);
      const { record, isWaiting } = submitted;
      return isWaiting
        ? awaitResult(record, deps, context)
        : { success: true, data: { request_id: record.id, status: 'processing' } };
    },
  });
  addRoute({
    method: 'POST',
    // The others are those of clients of the hosted service.
    paths: ['/', '/speech-to-text', '/v1/speech-to-text', '/stt', '/v1/stt'],
    docs: {
      tags: ['Speech-to-text'],
      operationId: 'transcribeAndWait',
      summary: 'Wait for the text of a recording',
      description: `Always waits. For recordings over a few minutes, submit and poll instead. ${IDEMPOTENCY}`,
      headers: IdempotencyHeaders,
      ok: BlockingAnswer,
      errors: SUBMISSION_ERRORS,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: recordingForm(BlockingForm, policy, deps.uploads),
    async run(context) {
      if (context.input.files.length > 1) throw refuseToWait();
      return submit(context, deps, true);
    },
    answer: (record, context) => awaitResult(record, deps, context),
  });
}

/** The outcome of a submission: a record, or those of a batch with their files. */
type Submitted =
  | { record: TranscriptionRecord; isWaiting: boolean }
  | { batch: TranscriptionSummary[]; files: readonly UploadedFile[] };

/** Makes a transcription of the uploaded file, or of the one at an address. */
async function submit(
  context: RouteContext<SubmittedForm>,
  deps: RouteDeps,
  isWaiting: boolean,
): Promise<TranscriptionRecord> {
  const { files, dataUrl } = context.input;
  // Other clients get the id at once; a waiting client may have to poll by its own request id.
  const submission = requestOf(context, deps, isWaiting ? context.request.id : null);
  const [file] = files;
  if (file !== undefined) return acceptTranscription({ ...submission, file }, deps);
  const { id: accountId } = context.caller.account;
  const policy = { ...deps.uploads, accountId, allowPrivate: deps.config.webhooksAllowPrivate, field: 'data_url' };
  await using downloaded = await download(dataUrl ?? '', policy, abortOnDisconnect(context.reply));
  return await acceptTranscription({ ...submission, file: downloaded }, deps);
}

function submitBatch(context: RouteContext<SubmittedForm>, deps: RouteDeps): Promise<TranscriptionSummary[]> {
  return acceptBatch(requestOf(context, deps, null), context.input.files, deps);
}

function requestOf(
  { caller, input: { options, callbackUrl, title, idempotencyKey }, reply }: RouteContext<SubmittedForm>,
  { models }: RouteDeps,
  callersId: string | null,
): SubmissionRequest {
  const model = modelFor(options.model, models, reply);
  return { caller, options: { ...options, model }, callbackUrl, title, callersId, idempotencyKey };
}

function refuseToWait(): AppError {
  return new AppError(
    'invalid_request',
    'Several recordings are only accepted at /api/stt without waiting; poll their records, or send one at a time.',
  );
}

async function awaitResult(
  record: TranscriptionRecord,
  { waitForTranscription, config }: RouteDeps,
  { request, reply }: RouteContext<unknown>,
) {
  answerUnderIdOf(record, request, reply);
  return viewBlocking(await waitForTranscription(record.id, abortOnDisconnect(reply)), config.cues);
}
