import { z } from 'zod';
import { checkCallbackUrl } from '#features/webhooks/callback-url.ts';
import { headerKey } from '#http/authentication.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { audioFile, parseFields } from '#http/fields.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { isDeclaredAsJson, readKeyedBody } from '#http/json-body.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import { idempotencyKeyFrom, IdempotencyHeaders } from '#http/idempotency-key.ts';
import { HEADER_KEY } from '#http/openapi.ts';
import { receiveRawFile } from '#http/raw-upload.ts';
import type { AddRoute, BodyReader } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { download } from '#http/transcription/download.ts';
import { assertCompleted } from '#http/transcription/record-view.ts';
import { modelFor, SUBMISSION_AUTH, SUBMISSION_ERRORS } from '#http/transcription/submission-form.ts';
import { answerUnderIdOf } from '#http/transcription/transcription-id.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { replyForDeepgram } from './errors.ts';
import { optionsOf, parseRecordingQuery, RecordingQuery, samplesOf } from './query.ts';
import { RecordingAnswer, viewRecording } from './views.ts';

const DESCRIPTION = `The request and the answer of Deepgram, for its client libraries: the body is the recording, or a JSON object with its
\`url\`. Waits, unless \`callback\` gets the answer; when the connection breaks, the transcription continues: poll its \`X-Request-Id\`.`;

const Accepted = z.object({ request_id: z.string() }).describe('With `callback`.');
const UrlBody = z.object({ url: z.string().describe('A public address of the recording.') });

type Recording = { query: RecordingQuery } & ({ file: UploadedFile } | { url: string });

export type RecordingRouteDeps = AcceptDeps &
  Pick<ServerDeps, 'models' | 'waitForTranscription'> & { uploads: UploadLimits };

/** POST /v1/listen: the transcription of a recording, as Deepgram's clients ask for it. */
export function addListenRecordingRoute(addRoute: AddRoute, deps: RecordingRouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/listen'],
    docs: {
      operationId: 'transcribeForDeepgram',
      tags: ['Speech-to-text'],
      summary: 'Transcribe a recording for clients of Deepgram',
      description: DESCRIPTION,
      querystring: RecordingQuery,
      headers: IdempotencyHeaders,
      ok: z.union([RecordingAnswer, Accepted]),
      errors: SUBMISSION_ERRORS,
    },
    auth: SUBMISSION_AUTH,
    concurrent: 'waits',
    options: { errorHandler: replyForDeepgram },
    config: { answerHeaders: IGNORED_MODEL_HEADER },
    body: recordingBody(deps),
    run: (context) => submit(context, deps),
    async answer(record, { input, request, reply }) {
      answerUnderIdOf(record, request, reply);
      if (input.query.callback !== undefined) return { request_id: record.id };
      const final = await deps.waitForTranscription(record.id, abortOnDisconnect(reply));
      return viewRecording(assertCompleted(final), input.query);
    },
  });
}

const anyAudio = audioFile.meta({ description: 'The recording, in a format of `/api/stt`.', format: 'binary' });

/** Everything is checked after the key, and the query before the body is read. */
function recordingBody({ uploads, config }: RecordingRouteDeps): BodyReader<Recording> {
  return {
    security: HEADER_KEY,
    config: { bodies: { 'application/octet-stream': anyAudio, 'application/json': UrlBody } },
    async read(unread) {
      const { request, authorize, pace } = unread;
      const caller = await authorize(headerKey(request));
      const query = parseRecordingQuery(request.query);
      const policy = { allowPrivate: config.webhooksAllowPrivate };
      if (query.callback !== undefined) checkCallbackUrl(query.callback, policy, 'callback');
      if (isDeclaredAsJson(request)) {
        const { url } = parseFields(UrlBody, (await readKeyedBody(unread, { keyFirst: 'header' })).object());
        checkCallbackUrl(url, policy, 'url');
        return { caller, input: { query, url } };
      }
      const saving = { ...uploads, accountId: caller.account.id, pace, samples: samplesOf(query) };
      const file = await receiveRawFile(request, saving);
      return { caller, input: { query, file }, dispose: async () => file[Symbol.asyncDispose]() };
    },
  };
}

async function submit({ caller, input, request, reply }: RouteContext<Recording>, deps: RecordingRouteDeps) {
  const options = optionsOf(input.query);
  options.model = modelFor(options.model, deps.models, reply);
  const idempotencyKey = idempotencyKeyFrom(request.headers);
  const submission = {
    caller,
    options,
    callbackUrl: input.query.callback ?? null,
    title: null,
    callersId: request.id,
    idempotencyKey,
  };
  if ('file' in input) return acceptTranscription({ ...submission, file: input.file }, deps);
  const policy = { ...deps.uploads, allowPrivate: deps.config.webhooksAllowPrivate, field: 'url' };
  await using file = await download(input.url, { ...policy, accountId: caller.account.id }, abortOnDisconnect(reply));
  return await acceptTranscription({ ...submission, file }, deps);
}
