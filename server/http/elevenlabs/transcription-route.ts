import { z } from 'zod';
import { LANGUAGE_CHOICES } from '@jyutsing/contracts/transcript';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import { isSpaceBetween, splitIntoUnits } from '@jyutsing/text/join-words';
import { formatPlain, speakerLabels } from '#features/transcription/format.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { audioFile, formText, languageField, parseFields } from '#http/fields.ts';
import { idempotencyKeyFrom, IdempotencyHeaders } from '#http/idempotency-key.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import type { AddRoute } from '#http/route.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { modelFor, SUBMISSION_AUTH, submissionBody } from '#http/transcription/submission-form.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import { replyWithDetail } from './errors.ts';

const DESCRIPTION = `The request and the answer of ElevenLabs, with the key in \`xi-api-key\`: with that header also at \`/v1/speech-to-text\`.
Always waits; \`webhook\` and \`cloud_storage_url\` are ignored.`;

const Fields = z.object({
  model_id: formText(200, 'A model of this server; an unknown one is ignored.').optional(),
  language_code: languageField(LANGUAGE_CHOICES, { description: 'As for transcription; absent: detected.' }),
  diarize: z.stringbool({ error: 'must be true or false' }).default(false).describe('Name the speakers.'),
});
const Form = z.object({ file: audioFile, ...Fields.shape });

const seconds = z.number().min(0);
const Answer = z
  .object({
    language_code: z.string(),
    language_probability: z.number(),
    text: z.string(),
    words: z.array(
      z.object({
        text: z.string(),
        start: seconds,
        end: seconds,
        type: z.enum(['word', 'spacing']),
        speaker_id: z.string().optional(),
        logprob: z.number(),
      }),
    ),
    transcription_id: z.string(),
  })
  .meta({ id: 'ElevenLabsTranscript' });

type RouteDeps = AcceptDeps & Pick<ServerDeps, 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

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
      ok: Answer,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    options: { errorHandler: replyWithDetail, constraints: { family: 'elevenlabs' } },
    body: submissionBody(
      {
        docs: { form: Form },
        fileField: 'file',
        fieldNames: new Set(Object.keys(Form.shape)),
        parse: ({ file, fields, request }) => ({
          file,
          ...parseFields(
            Fields,
            Object.fromEntries([...fields].filter(([, value]) => value.trim() !== '')),
            'invalid_parameter',
          ),
          idempotencyKey: idempotencyKeyFrom(request.headers),
        }),
      },
      deps.uploads,
    ),
    async run({ caller, input, request, reply }) {
      const { file, idempotencyKey, diarize: withDiarization } = input;
      const options = {
        language: input.language_code ?? 'auto',
        withTimestamp: true,
        withDiarization,
        context: null,
        skipFusion: false,
        corpusIds: null,
        model: modelFor(input.model_id ?? null, deps.models, reply),
      };
      const submission = {
        caller,
        callersId: request.id,
        callbackUrl: null,
        title: null,
        file,
        options,
        idempotencyKey,
      };
      return acceptTranscription(submission, deps);
    },
    async answer(record, { request, reply }) {
      answerUnderIdOf(record, request, reply);
      return viewTranscript(record.id, resultOf(await deps.waitForTranscription(record.id, abortOnDisconnect(reply))));
    },
  });
}

/** Spaces are words of their own, where the text has them. */
function viewTranscript(id: string, { segments, language }: TranscriptionResult): z.output<typeof Answer> {
  const labels = [...speakerLabels(segments).keys()];
  const words: z.output<typeof Answer>['words'] = [];
  for (const segment of segments) {
    const number = labels.indexOf(segment.speaker ?? '');
    const speaker = number < 0 ? {} : { speaker_id: `speaker_${String(number)}` };
    const timed = segment.words.length > 0 ? segment.words : splitIntoUnits({ ...segment, reading: null });
    for (const { text, startMs, endMs, confidence } of timed) {
      const times = { start: startMs / 1_000, end: endMs / 1_000 };
      const before = words.at(-1);
      if (before !== undefined && isSpaceBetween(before.text, text)) {
        words.push({
          text: ' ',
          start: before.end,
          end: Math.max(before.end, times.start),
          type: 'spacing',
          logprob: 0,
        });
      }
      words.push({ text, ...times, type: 'word', ...speaker, logprob: Math.log(Math.max(1e-4, confidence ?? 1)) });
    }
  }
  const code = { language_code: LANGUAGE_CODES[language], language_probability: 1 };
  return { ...code, text: formatPlain(segments), words, transcription_id: id };
}
