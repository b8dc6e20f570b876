import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, HEADER_OR_FIELD_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { acceptTranscription } from './accept.ts';
import { answerUnderIdOf, whileConnected } from './connection.ts';
import { createPollAnswers } from './poll-answers.ts';
import { viewBlocking } from './record-view.ts';
import {
  BlockingAnswer,
  BlockingForm,
  FIELD_NAMES,
  parseSubmission,
  PollAnswer,
  PollQuery,
  SubmitAnswer,
  SubmitForm,
} from './schema.ts';
import { SUBMISSION_ERRORS, type ReceiveSubmission, type SubmissionForm } from './submission.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const SUBMIT_ERRORS = errorResponses(...SUBMISSION_ERRORS, 'invalid_parameter');

/** Speech-to-text: submit, or wait for the text. To be registered where multipart forms are read. */
export function submissionRoutes(services: HttpServices, receive: ReceiveSubmission) {
  return async function routes(app: FastifyInstance): Promise<void> {
    submitRoute(app, services, receive);
    blockingRoutes(app, services, receive);
  };
}

/** Speech-to-text: ask for a submitted transcription. The cheapest of all requests, because clients send it most. */
export function pollRoutes(services: HttpServices, authenticator: Authenticator) {
  return async function routes(app: FastifyInstance): Promise<void> {
    pollRoute(app, services, authenticator);
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
that waits and loses its connection goes on: poll its \`X-Request-Id\`, which may be one that you chose.`,
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
        description: 'Always waits. For recordings over a few minutes, submit and poll instead.',
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

function pollRoute(app: FastifyInstance, services: HttpServices, authenticator: Authenticator): void {
  const answers = createPollAnswers(services);
  const admission = { scope: 'stt', counted: 'poll' } as const;
  app.get<{ Querystring: { id?: unknown } }>('/api/speech-to-text/get-result', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'Poll a transcription',
      description: 'Status 200 whatever the state; poll until it is `completed` or `failed`, every 5 to 15 seconds.',
      security: HEADER_KEY,
      querystring: PollQuery,
      response: { 200: PollAnswer, ...errorResponses(...KEY_ERRORS) },
    },
    // An id that is missing or malformed is an unknown one, which is not an HTTP error here.
    validatorCompiler: () => (query) => ({ value: query }),
    handler: async (request, reply) => {
      const { account } = await authenticator.admit(headerKey(request), admission, request, reply);
      const sent = request.query.id;
      const id = typeof sent === 'string' ? transcriptionIdFrom(sent, account.id) : null;
      const answer = id === null ? null : await answers.find(id, account.id);
      if (answer === null) {
        return { success: false as const, message: 'There is no transcription with this id in this account.' };
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
    },
  });
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
      const { options, waitForCompletion } = parseSubmission(fields);
      const isWaiting = waits === 'always' || (waitForCompletion ?? waits);
      // Only a caller that waits has no other id to ask for its transcription by when the connection breaks.
      const callersId = isWaiting ? request.id : null;
      return { record: await acceptTranscription({ caller, file, options, callersId }, services), isWaiting };
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
  return viewBlocking(await services.waitForTranscription(record.id, whileConnected(reply)));
}
