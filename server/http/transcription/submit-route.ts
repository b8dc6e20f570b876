import { z } from 'zod';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { checkCallbackUrl } from '#features/webhooks/callback-url.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { UploadLimits } from '#http/form-body.ts';
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
import { idempotencyKeyFrom } from './idempotency.ts';
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
    async run({ caller, input, occupy, request, reply }) {
      input.options.model = modelFor(input.options.model, deps.models, reply);
      const isWaiting = input.waitForCompletion ?? blockingByDefault;
      if (isWaiting) occupy('waits');
      // Other clients get the id at once; a waiting client may have to poll by its own request id.
      const callersId = isWaiting ? request.id : null;
      return { record: await acceptTranscription({ caller, callersId, ...input }, deps), isWaiting };
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
    run({ caller, input, request, reply }) {
      input.options.model = modelFor(input.options.model, deps.models, reply);
      return acceptTranscription({ caller, callersId: request.id, ...input }, deps);
    },
    answer: (record, context) => awaitResult(record, deps, context),
  });
}

function submissionForm({ config, uploads }: RouteDeps, form: z.ZodType) {
  return submissionBody(
    {
      docs: { form },
      fileField: 'data',
      otherFileFields: ['audio'],
      fieldNames: FIELD_NAMES,
      parse({ file, fields, request }) {
        const idempotencyKey = idempotencyKeyFrom(request.headers);
        const submission = parseSubmission(fields);
        const { callbackUrl } = submission;
        if (callbackUrl !== null) checkCallbackUrl(callbackUrl, { allowPrivate: config.webhooksAllowPrivate });
        return { file, idempotencyKey, ...submission };
      },
    },
    uploads,
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
