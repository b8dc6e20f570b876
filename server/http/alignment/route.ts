import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { idempotencyKeyFrom, IdempotencyHeaders } from '#http/idempotency-key.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import type { AddRoute } from '#http/route.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { modelFor, SUBMISSION_AUTH, SUBMISSION_ERRORS, submissionBody } from '#http/transcription/submission-form.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import { alignTextTask } from '#workers/tasks/align-text.ts';
import { checkSpeakable } from '#workers/tasks/check-speakable.ts';
import { AlignmentAnswer, AlignmentForm, FIELD_NAMES, MAX_TEXT_BYTES, parseAlignmentForm } from './schema.ts';
import { viewAlignment } from './views.ts';

const DESCRIPTION = `Gives a text the times of its recording: sentences, words and Chinese characters, and where what was said differs. As long as
a transcription may be, and charged like one. Always waits; \`text\` may be a file.`;

type RouteDeps = AcceptDeps & Pick<ServerDeps, 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** POST /v1/audio/alignments. */
export function addAlignmentRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/audio/alignments', '/api/align'],
    docs: {
      tags: ['Speech-to-text'],
      operationId: 'alignText',
      summary: 'The times of a text in its recording',
      description: DESCRIPTION,
      headers: IdempotencyHeaders,
      ok: {
        description: 'The times, in the format of `response_format`.',
        content: {
          'application/json': { schema: AlignmentAnswer },
          'text/plain': { schema: z.string().describe('With `textgrid`.') },
          'application/x-subrip': { schema: z.string().describe('With `srt`.') },
          'text/vtt': { schema: z.string().describe('With `vtt`.') },
        },
      },
      errors: [...SUBMISSION_ERRORS, 'text_not_readable'],
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: submissionBody(
      {
        docs: { form: AlignmentForm },
        fileField: 'file',
        otherFileFields: ['data', 'audio'],
        fieldNames: FIELD_NAMES,
        // Hours of text are more than a field may hold.
        attachmentNames: new Set(['text']),
        parse({ file, fields, attachments: [text], request }) {
          if (text === undefined) throw new AppError('invalid_request', 'The field "text" is missing.');
          return {
            file,
            textFile: text,
            ...parseAlignmentForm(fields),
            idempotencyKey: idempotencyKeyFrom(request.headers),
          };
        },
      },
      deps.uploads,
    ),
    async run({ caller, input: { textFile, format, language, model, file, idempotencyKey }, request, reply }) {
      if (textFile.sizeBytes > MAX_TEXT_BYTES)
        throw new AppError('payload_too_large', 'The text may have at most 2 MiB.');
      const text = (await readFile(textFile.path, 'utf8')).replaceAll('\0', '').toWellFormed();
      const connected = abortOnDisconnect(reply);
      // Before anything is charged.
      if (!(await deps.workers.run(checkSpeakable, { text }, caller.account.id, connected)))
        throw new AppError('text_not_readable', 'The text has nothing that can be spoken.');
      const options = { ...OPTIONS, language, model: modelFor(model, deps.models, reply) };
      const submission = {
        caller,
        callersId: request.id,
        callbackUrl: null,
        title: null,
        file,
        options,
        idempotencyKey,
      };
      return { text, format, connected, record: await acceptTranscription(submission, deps) };
    },
    async answer({ text, format, connected, record }, { caller, request, reply }) {
      answerUnderIdOf(record, request, reply);
      const result = resultOf(await deps.waitForTranscription(record.id, connected));
      const call = { text, transcript: result.segments, language: result.language };
      const alignment = await deps.workers.run(alignTextTask, call, caller.account.id, connected);
      const { mediaType, body } = viewAlignment(alignment, result, format);
      return reply.type(mediaType).send(body);
    },
  });
}

/** A correction would make the transcript fit a text that was not said. */
const OPTIONS: Omit<TranscriptionOptions, 'language' | 'model'> = {
  withTimestamp: true,
  withDiarization: false,
  numerals: false,
  context: null,
  skipFusion: true,
  corpusIds: [],
};
