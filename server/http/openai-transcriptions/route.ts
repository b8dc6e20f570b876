import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { CueLimits, TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import { replyWithRetryHeader } from '#http/retry-header.ts';
import type { AddRoute } from '#http/route.ts';
import { replyWithEvents } from '#http/server-sent-events.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { modelFor, submissionBody, SUBMISSION_AUTH, SUBMISSION_ERRORS } from '#http/transcription/submission-form.ts';
import { idempotencyKeyFrom, IdempotencyHeaders } from '#http/idempotency-key.ts';
import { isForGroq } from '#http/openai-prefix.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import { checkSpeakers, readSpeakers } from './known-speakers.ts';
import {
  FIELD_NAMES,
  DiarizedAnswer,
  LIST_FIELD_NAMES,
  parseTranscriptionForm,
  REFERENCE_NAMES,
  TranscriptionAnswer,
  TranscriptionForm,
  VerboseAnswer,
  type AnswerShape,
} from './schema.ts';
import { transcriptEvents } from './stream.ts';
import { translateRecording, TRANSLATIONS_PATH, type TranslationDeps } from './translate-recording.ts';
import { viewDiarized, viewJson, viewText, viewVerbose } from './views.ts';

const TAGS = ['OpenAI-compatible'];
const DESCRIPTION = `The form and the answers of OpenAI's endpoint, for its client libraries. Always waits, or streams. When the
connection breaks, the transcription continues: poll its \`X-Request-Id\`. Errors in a stream are an event \`error\` with the usual body.`;

const textFile = (description: string) => ({ schema: z.string().describe(description) });

type RouteDeps = AcceptDeps &
  Pick<ServerDeps, 'followTranscription' | 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** POST /v1/audio/transcriptions: OpenAI's endpoint for transcription. */
export function addOpenaiTranscriptionRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/audio/transcriptions'],
    docs: {
      tags: TAGS,
      operationId: 'createOpenAiTranscription',
      summary: 'Transcribe a recording',
      description: DESCRIPTION,
      headers: IdempotencyHeaders,
      ok: {
        description: 'The text, in the format of `response_format` and `stream`.',
        content: {
          // The first matching schema is used, and the shortest one matches all answers.
          'application/json': { schema: z.union([VerboseAnswer, DiarizedAnswer, TranscriptionAnswer]) },
          'text/plain': textFile('With `text`.'),
          'application/x-subrip': textFile('With `srt`.'),
          'text/vtt': textFile('With `vtt`.'),
          'text/event-stream': textFile(
            'With `stream`: `transcript.text.delta`, `transcript.text.segment` (diarized) and `transcript.text.done`.',
          ),
        },
      },
      errors: SUBMISSION_ERRORS,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    body: submissionBody(
      {
        docs: { form: TranscriptionForm },
        fileField: 'file',
        fieldNames: FIELD_NAMES,
        listFieldNames: LIST_FIELD_NAMES,
        attachmentNames: REFERENCE_NAMES,
        parse({ file, fields, attachments: references, request }) {
          const { speakerNames: names, ...form } = parseTranscriptionForm(fields);
          checkSpeakers({ names, references });
          return {
            file,
            ...form,
            speakers: { names, references },
            idempotencyKey: idempotencyKeyFrom(request.headers),
          };
        },
      },
      deps.uploads,
    ),
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    options: { errorHandler: replyWithRetryHeader },
    async run({ caller, input: { shape, speakers, ...input }, request, reply }) {
      input.options.model = modelFor(input.options.model, deps.models, reply);
      const knownSpeakers = await readSpeakers(speakers, input.options, caller, deps);
      if (knownSpeakers !== undefined) input.options.knownSpeakers = knownSpeakers;
      const connected = abortOnDisconnect(reply);
      const submission = { caller, callersId: request.id, callbackUrl: null, title: null, ...input };
      const record = await acceptTranscription(submission, deps);
      // Subscribe now: the job may begin at once, and its first segments must not be delayed.
      const followed = shape.isStream ? deps.followTranscription(record.id, connected) : null;
      return { record, shape, followed, connected };
    },
    async answer({ record, shape, followed, connected }, { request, reply }) {
      answerUnderIdOf(record, request, reply);
      // A failure before the first words still has its own status.
      if (followed !== null)
        return replyWithEvents(
          transcriptEvents(followed, (endMs) => handOut(record.id, endMs, deps, connected), shape),
          request,
          reply,
        );
      return viewAnswer(await deps.waitForTranscription(record.id, connected), shape, deps.config.cues, reply);
    },
  });
}

/** See `HandOut`. Throws the error of a failed record. */
async function handOut(id: string, endMs: number, deps: RouteDeps, signal: AbortSignal): Promise<boolean> {
  if (await deps.store.transcriptions.handOut(id, endMs)) return true;
  // The work has ended; a record that joined it follows shortly.
  resultOf(await deps.waitForTranscription(id, signal));
  return false;
}

/** POST /v1/audio/translations: what was said, in English. */
export function addOpenaiTranslationRoute(addRoute: AddRoute, deps: RouteDeps & TranslationDeps): void {
  addRoute({
    method: 'POST',
    paths: [TRANSLATIONS_PATH],
    docs: {
      tags: TAGS,
      operationId: 'createOpenAiTranslation',
      summary: 'Translate a recording into English',
      description: `Transcribes, and translates each segment with the language model. Costs a summary credit for each started 30 minutes beside
the seconds; speech in English none.`,
      headers: IdempotencyHeaders,
      ok: {
        description: 'The text, in the format of `response_format`.',
        content: {
          'application/json': { schema: z.union([VerboseAnswer, TranscriptionAnswer]) },
          'text/plain': textFile('With `text`.'),
          'application/x-subrip': textFile('With `srt`.'),
          'text/vtt': textFile('With `vtt`.'),
        },
      },
      errors: [...SUBMISSION_ERRORS, 'request_in_progress', 'language_model_required', 'language_model_failed'],
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    body: submissionBody(
      {
        docs: { form: TranscriptionForm },
        fileField: 'file',
        fieldNames: FIELD_NAMES,
        listFieldNames: LIST_FIELD_NAMES,
        parse: ({ file, fields, request }) => ({
          file,
          ...parseTranscriptionForm(fields),
          idempotencyKey: idempotencyKeyFrom(request.headers),
        }),
      },
      deps.uploads,
    ),
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    options: { errorHandler: replyWithRetryHeader },
    async run({ caller, input: { shape, speakerNames: _names, ...input }, request, reply }) {
      const model = await deps.languageModels.open();
      if (shape.isStream) throw new AppError('invalid_request', 'Translations are not streamed; leave "stream" out.');
      input.options.model = modelFor(input.options.model, deps.models, reply);
      const submission = { caller, callersId: request.id, callbackUrl: null, title: null, ...input };
      return { record: await translateRecording(submission, model, abortOnDisconnect(reply), deps), shape };
    },
    answer({ record, shape }, { request, reply }) {
      answerUnderIdOf(record, request, reply);
      return viewAnswer(record, shape, deps.config.cues, reply);
    },
  });
}

async function viewAnswer(
  record: TranscriptionRecord,
  { format, granularities, withLogprobs }: AnswerShape,
  cues: CueLimits,
  reply: FastifyReply,
): Promise<unknown> {
  const result = resultOf(record);
  const groq = isForGroq(reply.request) ? { x_groq: { id: reply.request.id } } : {};
  if (format === 'verbose_json') return { ...viewVerbose(result, granularities), ...groq };
  if (format === 'json') return { ...viewJson(result, withLogprobs), ...groq };
  if (format === 'diarized_json') return viewDiarized(result);
  const { mediaType, text } = await viewText(result, format, cues);
  return reply.type(`${mediaType}; charset=utf-8`).send(text);
}
