import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { checkCallbackUrl } from '#features/webhooks/callback-url.ts';
import { errorResponses, HEADER_OR_FIELD_KEY } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { acceptTranscription } from './accept.ts';
import { answerUnderIdOf, whileConnected } from './connection.ts';
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
import { SUBMISSION_ERRORS, type ReceiveSubmission, type SubmissionForm } from './submission.ts';

const IDEMPOTENCY = `With an \`Idempotency-Key\` the same request may be sent again for a day and gives the same transcription.`;

const SUBMIT_ERRORS = errorResponses(...SUBMISSION_ERRORS, 'invalid_parameter');

/** Speech-to-text: submit, or wait for the text. To be registered where multipart forms are read. */
export function submissionRoutes(services: HttpServices, receive: ReceiveSubmission) {
  return async function routes(app: FastifyInstance): Promise<void> {
    submitRoute(app, services, receive);
    blockingRoutes(app, services, receive);
  };
}

function submitRoute(app: FastifyInstance, services: HttpServices, receive: ReceiveSubmission): void {
  const { blockingByDefault } = services.config;
  const byDefault = blockingByDefault ? ' This server waits unless `wait_for_completion=false` is sent.' : '';
  app.withTypeProvider<ZodTypeProvider>().post('/api/stt', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'Submit a recording, or wait for its text',
      description: `Answers with a \`request_id\` to poll, or with \`wait_for_completion=true\` with the text.${byDefault} A call
that waits and loses its connection goes on: poll its \`X-Request-Id\`, which may be one that you chose. ${IDEMPOTENCY}`,
      headers: SubmitHeaders,
      security: HEADER_OR_FIELD_KEY,
      response: { 200: z.union([SubmitAnswer, BlockingAnswer]), ...SUBMIT_ERRORS },
    },
    config: { form: SubmitForm },
    handler: async (request, reply) => {
      const { record, isWaiting } = await receive(request, reply, form(services, request, blockingByDefault));
      if (isWaiting) return awaitResult(record, services, request, reply);
      return { success: true as const, data: { request_id: record.id, status: 'processing' as const } };
    },
  });
}

function blockingRoutes(app: FastifyInstance, services: HttpServices, receive: ReceiveSubmission): void {
  for (const url of ['/', '/speech-to-text']) {
    app.withTypeProvider<ZodTypeProvider>().post(url, {
      schema: {
        tags: ['Speech-to-text'],
        summary: 'Wait for the text of a recording',
        description: `Always waits. For recordings over a few minutes, submit and poll instead. ${IDEMPOTENCY}`,
        headers: SubmitHeaders,
        security: HEADER_OR_FIELD_KEY,
        response: { 200: BlockingAnswer, ...SUBMIT_ERRORS },
      },
      config: { form: BlockingForm },
      handler: async (request, reply) => {
        const { record } = await receive(request, reply, form(services, request, 'always'));
        return awaitResult(record, services, request, reply);
      },
    });
  }
}

/** `waits`: whether the answer is the result where the form does not say, or 'always' whatever it says. */
function form(
  services: HttpServices,
  request: FastifyRequest,
  waits: boolean | 'always',
): SubmissionForm<{ record: TranscriptionRecord; isWaiting: boolean }> {
  return {
    fileField: 'data',
    fieldNames: FIELD_NAMES,
    async accept({ caller, file, fields }) {
      const idempotencyKey = idempotencyKeyFrom(request.headers);
      const { options, callbackUrl, waitForCompletion } = parseSubmission(fields);
      if (callbackUrl !== null) {
        checkCallbackUrl(callbackUrl, { allowPrivate: services.config.webhooksAllowPrivate });
      }
      const isWaiting = waits === 'always' || (waitForCompletion ?? waits);
      // Only a caller that waits has no other id to ask for its transcription by when the connection breaks.
      const callersId = isWaiting ? request.id : null;
      const submission = { caller, file, options, callbackUrl, callersId, idempotencyKey };
      return { record: await acceptTranscription(submission, services), isWaiting };
    },
  };
}

async function awaitResult(
  record: TranscriptionRecord,
  services: HttpServices,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  answerUnderIdOf(record, request, reply);
  const final = await services.waitForTranscription(record.id, whileConnected(reply));
  return viewBlocking(final, services.config.cues);
}
