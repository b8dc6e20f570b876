import { z } from 'zod';
import type { Language } from '@jyutsing/contracts/transcript';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { parseFields } from '#http/fields.ts';
import { translateRecording, type TranslationDeps } from '#http/openai-transcriptions/translate-recording.ts';
import type { AddRoute } from '#http/route.ts';
import { acceptTranscription } from '#http/transcription/accept.ts';
import { resultOf } from '#http/transcription/record-view.ts';
import { SUBMISSION_AUTH, SUBMISSION_ERRORS } from '#http/transcription/submission-form.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { DetectionQuery, optionsOf, parseQuery, RecordingQuery } from './query.ts';
import { recordingBody } from './recording-body.ts';
import { viewOutput } from './views.ts';

const TAGS = ['Speech-to-text'];
const KEY =
  'The key may also be the password of `Authorization: Basic`, which programs make of `http://any:<key>@host`.';
const DETECTED_SECONDS = 30;

type RouteDeps = TranslationDeps & Pick<ServerDeps, 'config'> & { uploads: UploadLimits };

/** The two requests of whisper-asr-webservice, for Bazarr and other programs that know no other. */
export function addWhisperAsrRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addRecordingRoute(addRoute, deps);
  addDetectionRoute(addRoute, deps);
}

function addRecordingRoute(addRoute: AddRoute, deps: RouteDeps): void {
  const { uploads, config } = deps;
  addRoute({
    method: 'POST',
    paths: ['/asr'],
    docs: {
      tags: TAGS,
      operationId: 'transcribeForWhisperAsr',
      summary: 'Transcribe a recording for programs of whisper-asr-webservice',
      description: `Waits for the text, in the format of \`output\`. Other parameters are ignored. ${KEY}`,
      querystring: RecordingQuery,
      ok: { description: 'The text.', content: { 'text/plain': { schema: z.string() } } },
      errors: [...SUBMISSION_ERRORS, 'language_model_required', 'language_model_failed'],
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    body: recordingBody(uploads),
    async run({ caller, input: { file, request }, reply }) {
      const query = parseQuery(request.query);
      const connected = abortOnDisconnect(reply);
      const submission = { ...SUBMISSION, caller, file, callersId: request.id, options: optionsOf(query) };
      if (query.task === 'transcribe') return acceptTranscription(submission, deps);
      return translateRecording(submission, await deps.languageModels.open(), connected, deps);
    },
    async answer(record: TranscriptionRecord, { input, request, reply }) {
      answerUnderIdOf(record, request, reply);
      const query = parseQuery(input.request.query);
      const result = resultOf(await completed(record, abortOnDisconnect(reply), deps));
      const name = encodeURIComponent(input.file.name);
      reply.header('asr-engine', 'jyutsing');
      reply.header('content-disposition', `attachment; filename="${name}.${query.output}"`);
      return reply.type('text/plain; charset=utf-8').send(await viewOutput(result, query, config.cues));
    },
  });
}

function addDetectionRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/detect-language'],
    docs: {
      tags: TAGS,
      operationId: 'detectLanguageForWhisperAsr',
      summary: 'Tell the language for programs of whisper-asr-webservice',
      description: `Transcribes, and costs what that costs: the first ${DETECTED_SECONDS} seconds of bare samples, or a whole file. Cantonese and
Mandarin are both \`zh\`, because the programs know no other Chinese. ${KEY}`,
      querystring: DetectionQuery,
      ok: z.object({ detected_language: z.enum(['chinese', 'english']), language_code: z.enum(['zh', 'en']) }),
      errors: SUBMISSION_ERRORS,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    body: recordingBody(deps.uploads, DETECTED_SECONDS),
    run({ caller, input: { file, request } }) {
      parseFields(DetectionQuery, request.query, 'invalid_parameter');
      const options = optionsOf({});
      return acceptTranscription({ ...SUBMISSION, caller, file, callersId: request.id, options }, deps);
    },
    async answer(record, { request, reply }) {
      answerUnderIdOf(record, request, reply);
      return WHISPER_NAMES[resultOf(await completed(record, abortOnDisconnect(reply), deps)).language];
    },
  });
}

const SUBMISSION = { callbackUrl: null, title: null, idempotencyKey: null } as const;

/** A translation is complete already, and is not the record that is stored. */
async function completed(record: TranscriptionRecord, connected: AbortSignal, deps: RouteDeps) {
  return record.status === 'completed' ? record : deps.waitForTranscription(record.id, connected);
}

const CHINESE = { detected_language: 'chinese', language_code: 'zh' } as const;
const WHISPER_NAMES = {
  cantonese: CHINESE,
  mandarin: CHINESE,
  english: { detected_language: 'english', language_code: 'en' },
} as const satisfies Record<Language, object>;
