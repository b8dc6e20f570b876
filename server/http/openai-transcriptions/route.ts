import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { replyWithAdvice } from '#http/retry-header.ts';
import { errorResponses, HEADER_OR_FIELD_KEY } from '#http/openapi.ts';
import { replyWithEvents } from '#http/server-sent-events.ts';
import type { HttpServices } from '#http/services.ts';
import { acceptTranscription } from '#http/transcription/accept.ts';
import { answerUnderIdOf, whileConnected } from '#http/transcription/connection.ts';
import { idempotencyKeyFrom } from '#http/transcription/idempotency.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { SubmitHeaders } from '#http/transcription/schema.ts';
import { SUBMISSION_ERRORS, type ReceiveSubmission } from '#http/transcription/submission.ts';
import {
  FIELD_NAMES,
  LIST_FIELD_NAMES,
  parseTranscriptionForm,
  TranscriptionAnswer,
  TranscriptionForm,
  VerboseAnswer,
  type AnswerShape,
} from './schema.ts';
import { transcriptEvents } from './stream.ts';
import { viewJson, viewText, viewVerbose } from './views.ts';

const DESCRIPTION = `The form and the answers of OpenAI's endpoint, for its client libraries. Always waits, or streams. A call
that loses its connection goes on: poll its \`X-Request-Id\`. Errors inside a stream are an event \`error\` with the usual body.`;

const textFile = (description: string) => ({ schema: z.string().describe(description) });

/** OpenAI's transcription endpoint on our own road of a request. To be registered where multipart forms are read. */
export function openaiTranscriptionRoutes(services: HttpServices, receive: ReceiveSubmission) {
  return async function routes(app: FastifyInstance): Promise<void> {
    app.post('/v1/audio/transcriptions', {
      schema: {
        tags: ['OpenAI-compatible'],
        summary: 'Transcribe a recording',
        description: DESCRIPTION,
        security: HEADER_OR_FIELD_KEY,
        headers: SubmitHeaders,
        response: {
          200: {
            description: 'The text, in the form that `response_format` and `stream` ask for.',
            content: {
              // In this order: the first that fits is taken, and the shorter one fits both.
              'application/json': { schema: z.union([VerboseAnswer, TranscriptionAnswer]) },
              'text/plain': textFile('With `text`.'),
              'application/x-subrip': textFile('With `srt`.'),
              'text/vtt': textFile('With `vtt`.'),
              'text/event-stream': textFile('With `stream`: `transcript.text.delta` and `transcript.text.done`.'),
            },
          },
          ...errorResponses(...SUBMISSION_ERRORS, 'invalid_parameter'),
        },
      },
      config: { form: TranscriptionForm },
      errorHandler: replyWithAdvice,
      handler: (request, reply) => transcribe(services, receive, request, reply),
    });
    app.post('/v1/audio/translations', {
      schema: {
        tags: ['OpenAI-compatible'],
        summary: 'Not offered',
        description: 'Always 400: this service writes down what was said, in the language in which it was said.',
        response: errorResponses('invalid_request'),
      },
      handler: async () => {
        throw new AppError(
          'invalid_request',
          'This service does not translate; /v1/audio/transcriptions gives the text in the language that was spoken.',
        );
      },
    });
  };
}

async function transcribe(
  services: HttpServices,
  receive: ReceiveSubmission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const connected = whileConnected(reply);
  const { record, shape, followed } = await receive(request, reply, {
    fileField: 'file',
    fieldNames: FIELD_NAMES,
    listFieldNames: LIST_FIELD_NAMES,
    async accept({ caller, file, fields }) {
      const { options, shape } = parseTranscriptionForm(fields, services.models());
      const idempotencyKey = idempotencyKeyFrom(request.headers);
      const submission = { caller, file, options, callbackUrl: null, callersId: request.id, idempotencyKey };
      const record = await acceptTranscription(submission, services);
      // Here and not later: the work may begin at once, and who begins to follow later hears the first segments late.
      const followed = shape.isStream ? services.followTranscription(record.id, connected) : null;
      return { record, shape, followed };
    },
  });
  answerUnderIdOf(record, request, reply);
  // What fails before the first words keeps its status.
  if (followed !== null) return replyWithEvents(transcriptEvents(followed), request, reply);
  return answer(await services.waitForTranscription(record.id, connected), shape, services, reply);
}

function answer(
  record: TranscriptionRecord,
  { format, granularities }: AnswerShape,
  { config }: HttpServices,
  reply: FastifyReply,
): unknown {
  const result = resultOf(record);
  if (format === 'verbose_json') return viewVerbose(result, granularities);
  if (format === 'json') return viewJson(result);
  const { mediaType, text } = viewText(result, format, config.cues);
  return reply.type(`${mediaType}; charset=utf-8`).send(text);
}
