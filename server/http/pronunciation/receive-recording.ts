import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { presentScore, type ShownScore } from '#features/pronunciation/present-score.ts';
import { headerKey, nonBlank, type Authenticator } from '#http/authentication.ts';
import { createFormAuthentication, type AnonymousUploads } from '#http/form-authentication.ts';
import type { HttpServices } from '#http/services.ts';
import { whileConnected } from '#http/transcription/connection.ts';
import { receiveUpload, type UploadedFile } from '#http/upload.ts';
import { FIELD_NAMES, parseScoreForm, type ScoreAsk } from './schema.ts';

const ADMISSION = { scope: 'pronunciation', counted: 'request' } as const;
/** The interface's "max 10MB", taken generously. */
export const MAX_RECORDING_BYTES = 10 * 1024 ** 2;
/** Of a body that is no form, as much as is searched for a key. */
const SEARCHED_BYTES = 1024 ** 2;

type Services = Pick<HttpServices, 'config' | 'scorePronunciation' | 'metrics' | 'isReady'>;

/** Answers one request for a score. */
export type ReceiveRecording = (request: FastifyRequest, reply: FastifyReply) => Promise<ShownScore>;

/**
 * Reads the form and scores its recording. The key is checked before anything is said of the content. The upload is deleted in any case;
 * a client that hangs up ends the work. Throws AppError.
 */
export function createRecordingReceiver(services: Services, authenticator: Authenticator): ReceiveRecording {
  // Many clients put their key behind the file, and a class of learners sends at once.
  const anonymous: AnonymousUploads = { held: 0, limit: 16 * MAX_RECORDING_BYTES };

  return async (request, reply) => {
    if (!request.isMultipart()) {
      const secret = headerKey(request) ?? (await keyInJson(request));
      await authenticator.admit(secret, ADMISSION, request, reply);
      throw notAForm(request);
    }
    const signal = whileConnected(reply);
    const authentication = createFormAuthentication(authenticator, ADMISSION, anonymous, request, reply);
    try {
      await using upload = await receiveUpload(request, {
        incomingDir: services.config.incomingDir,
        maxFileBytes: MAX_RECORDING_BYTES,
        fileField: 'audio',
        fieldNames: FIELD_NAMES,
        beforeFile: authentication.beforeFile,
      });
      await authentication.caller(upload.fields);
      authentication.release();
      if (upload.file === null) throw missingFile();
      return await score(upload.file, parseScoreForm(upload.fields), services, signal);
    } finally {
      authentication.release();
    }
  };
}

async function score(
  file: UploadedFile,
  { text, language }: ScoreAsk,
  { scorePronunciation, metrics, isReady }: Services,
  signal: AbortSignal,
): Promise<ShownScore> {
  if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
  const startedMs = performance.now();
  let outcome = 'scored';
  try {
    return presentScore(await scorePronunciation({ path: file.path, text, language }, signal), text);
  } catch (thrown) {
    const refusal = signal.aborted ? toAppError(signal.reason) : refusalOf(toAppError(thrown), isReady());
    outcome = refusal.code;
    throw refusal;
  } finally {
    metrics.pronunciationScores.inc({ language, outcome });
    if (outcome === 'scored') {
      metrics.pronunciationSeconds.observe({ language }, (performance.now() - startedMs) / 1_000);
    }
  }
}

/** Where this endpoint answers otherwise than the rest of the service, because its interface says so. */
function refusalOf(error: AppError, isReady: boolean): AppError {
  if (error.code === 'unsupported_audio_format') return new AppError('corrupt_audio', error.message, { cause: error });
  // The process that scored was killed, while the service itself is well.
  if (error.code === 'service_unavailable' && isReady) {
    return new AppError('internal_error', 'The scoring was interrupted; send the recording again.', { cause: error });
  }
  return error;
}

function missingFile(): AppError {
  return new AppError('missing_file', 'Send the recording as a file in the form field "audio".');
}

function notAForm({ headers }: FastifyRequest): AppError {
  if (headers['content-type'] === undefined) return missingFile();
  return new AppError(
    'unsupported_media_type',
    'Send multipart/form-data with the recording as the file "audio" and its text in the field "text".',
  );
}

/** The key of a body of JSON, so that its sender is told to send a form and not to send a key. */
async function keyInJson({ headers, raw }: FastifyRequest): Promise<string | null> {
  if (!(headers['content-type'] ?? '').toLowerCase().includes('json')) return null;
  const found = /"api_key"\s*:\s*"([^"\\]*)"/.exec(await startOf(raw, SEARCHED_BYTES));
  return nonBlank(found?.[1]);
}

/** The first bytes of a body; what follows stays unread. */
async function startOf(body: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
  } catch (cause) {
    throw new AppError('client_closed_request', undefined, { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
}
