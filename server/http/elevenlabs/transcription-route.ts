import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { idempotencyKeyFrom, IdempotencyHeaders } from '#http/idempotency-key.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import type { AddRoute } from '#http/route.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { modelFor, SUBMISSION_AUTH, submissionBody } from '#http/transcription/submission-form.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import { replyWithDetail } from './errors.ts';
import { LIST_FIELD_NAMES, parseTranscriptForm, TranscriptForm } from './transcript-form.ts';
import { TranscriptAnswer, viewTranscript } from './views.ts';

const DESCRIPTION = `The request and the answer of ElevenLabs, with the key in \`xi-api-key\`: with that header also at \`/v1/speech-to-text\`.
Always waits. Other fields of ElevenLabs are ignored.`;

type RouteDeps = AcceptDeps &
  Pick<ServerDeps, 'config' | 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** POST /v1/speech-to-text for requests with the header of ElevenLabs' clients. */
export function addElevenLabsTranscriptionRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/elevenlabs/v1/speech-to-text', '/v1/speech-to-text'],
    docs: {
      tags: ['Speech-to-text'],
      operationId: 'transcribeForElevenLabs',
      summary: 'Transcribe a recording for clients of ElevenLabs',
      description: DESCRIPTION,
      headers: IdempotencyHeaders,
      ok: TranscriptAnswer,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    options: { errorHandler: replyWithDetail, constraints: { family: 'elevenlabs' } },
    body: submissionBody(
      {
        docs: { form: TranscriptForm },
        fileField: 'file',
        fieldNames: new Set(Object.keys(TranscriptForm.shape)),
        listFieldNames: LIST_FIELD_NAMES,
        // Clients add the defaults before the options of the caller.
        isLastKept: true,
        parse: ({ file, fields, request }) => ({
          file,
          ...parseTranscriptForm(fields),
          idempotencyKey: idempotencyKeyFrom(request.headers),
        }),
      },
      deps.uploads,
    ),
    async run({ caller, input: { shape, ...input }, request, reply }) {
      input.options.model = modelFor(input.options.model, deps.models, reply);
      const submission = { caller, callersId: request.id, callbackUrl: null, title: null, ...input };
      return { record: await acceptTranscription(submission, deps), shape };
    },
    async answer({ record, shape }, { request, reply }) {
      answerUnderIdOf(record, request, reply);
      const completed = await deps.waitForTranscription(record.id, abortOnDisconnect(reply));
      return viewTranscript(record.id, resultOf(completed), shape, deps.config.cues);
    },
  });
}
