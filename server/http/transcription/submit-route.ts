import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { checkCallbackUrl, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { missingFile, type ReceivedForm, type UploadLimits } from '#http/form-body.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import type { AddRoute, RouteContext } from '#http/route.ts';
import {
  acceptTranscription,
  type AcceptDeps,
  modelFor,
  submissionBody,
  SUBMISSION_AUTH,
  SUBMISSION_ERRORS,
} from './accept.ts';
import { download } from './download.ts';
import { idempotencyKeyFrom } from './idempotency.ts';
import type { UploadedFile } from '#http/upload.ts';
import { viewBlocking } from './record-view.ts';
import {
  BlockingAnswer,
  BlockingForm,
  FIELD_NAMES,
  parseSubmission,
  SubmitAnswer,
  SubmitForm,
  SubmitHeaders,
} from './schema.ts';
import { answerUnderIdOf } from './transcription-id.ts';

const IDEMPOTENCY = `Requests with the same \`Idempotency-Key\` within a day return the same transcription.`;

type RouteDeps = AcceptDeps & Pick<ServerDeps, 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** Speech-to-text: submit a recording, or wait for its text. */
export function addSubmitRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const { blockingByDefault } = deps.config;
  const byDefault = blockingByDefault ? ' This server waits unless `wait_for_completion=false` is sent.' : '';
  addRoute({
    method: 'POST',
    paths: ['/api/stt'],
    docs: {
      tags: ['Speech-to-text'],
      summary: 'Submit a recording, or wait for its text',
      description: `Answers with a \`request_id\` to poll, or with \`wait_for_completion=true\` with the text.${byDefault} When the
connection of a waiting call breaks, the transcription continues: poll its \`X-Request-Id\`, which you may choose. ${IDEMPOTENCY}`,
      headers: SubmitHeaders,
      ok: z.union([SubmitAnswer, BlockingAnswer]),
      errors: [...SUBMISSION_ERRORS, 'concurrency_exceeded'],
    },
    auth: SUBMISSION_AUTH,
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: submissionForm(deps, SubmitForm),
    async run(context) {
      const isWaiting = context.input.waitForCompletion ?? blockingByDefault;
      if (isWaiting) context.occupy('waits');
      return { record: await submit(context, deps, isWaiting), isWaiting };
    },
    answer: ({ record, isWaiting }, context) =>
      isWaiting
        ? awaitResult(record, deps, context)
        : { success: true, data: { request_id: record.id, status: 'processing' } },
  });
  addRoute({
    method: 'POST',
    // The others are those of clients of the hosted service.
    paths: ['/', '/speech-to-text', '/v1/speech-to-text', '/stt'],
    docs: {
      tags: ['Speech-to-text'],
      summary: 'Wait for the text of a recording',
      description: `Always waits. For recordings over a few minutes, submit and poll instead. ${IDEMPOTENCY}`,
      headers: SubmitHeaders,
      ok: BlockingAnswer,
      errors: SUBMISSION_ERRORS,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: submissionForm(deps, BlockingForm),
    run: (context) => submit(context, deps, true),
    answer: (record, context) => awaitResult(record, deps, context),
  });
}

function submissionForm({ config, uploads }: RouteDeps, form: z.ZodType) {
  const policy = { allowPrivate: config.webhooksAllowPrivate };
  return submissionBody<SubmittedForm>(
    {
      docs: { form },
      fileField: 'data',
      otherFileFields: ['audio'],
      fieldNames: FIELD_NAMES,
      parse: (received) => parseForm(received, policy),
      parseWithoutFile: (received) => parseForm(received, policy),
    },
    uploads,
  );
}

type SubmittedForm = Omit<ReturnType<typeof parseSubmission>, 'dataUrl'> & {
  /** The uploaded file, or its address. */
  source: UploadedFile | string;
  idempotencyKey: string | null;
};

function parseForm({ file, fields, request }: ReceivedForm, policy: CallbackPolicy): SubmittedForm {
  const idempotencyKey = idempotencyKeyFrom(request.headers);
  const { dataUrl, ...submission } = parseSubmission(fields);
  const { callbackUrl } = submission;
  if (callbackUrl !== null) checkCallbackUrl(callbackUrl, policy);
  if (file !== null && dataUrl !== null) {
    throw new AppError(
      'invalid_request',
      'Send the recording as the file "data" or its address as "data_url", not both.',
    );
  }
  if (dataUrl !== null) checkCallbackUrl(dataUrl, policy, 'data_url');
  const source = file ?? dataUrl;
  if (source === null) throw missingFile('audio', 'data');
  return { source, idempotencyKey, ...submission };
}

/** Makes a transcription of the uploaded file, or of the one at an address. */
async function submit(
  { caller, input: { source, ...input }, request, reply }: RouteContext<SubmittedForm>,
  deps: RouteDeps,
  isWaiting: boolean,
): Promise<TranscriptionRecord> {
  input.options.model = modelFor(input.options.model, deps.models, reply);
  // Other clients get the id at once; a waiting client may have to poll by its own request id.
  const submission = { caller, callersId: isWaiting ? request.id : null, ...input };
  if (typeof source !== 'string') return acceptTranscription({ ...submission, file: source }, deps);
  const policy = { ...deps.uploads, allowPrivate: deps.config.webhooksAllowPrivate };
  await using downloaded = await download(source, policy, abortOnDisconnect(reply));
  return await acceptTranscription({ ...submission, file: downloaded }, deps);
}

async function awaitResult(
  record: TranscriptionRecord,
  { waitForTranscription, config }: RouteDeps,
  { request, reply }: RouteContext<unknown>,
) {
  answerUnderIdOf(record, request, reply);
  return viewBlocking(await waitForTranscription(record.id, abortOnDisconnect(reply)), config.cues);
}
