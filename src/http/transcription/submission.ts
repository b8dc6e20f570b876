import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contracts/errors.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { bodyKey, headerKey, type Authenticator, type Caller } from '#http/authentication.ts';
import { createFormAuthentication, type AnonymousUploads } from '#http/form-authentication.ts';
import type { HttpServices } from '#http/services.ts';
import { receiveUpload, type Upload } from '#http/upload.ts';
import { acceptTranscription } from './accept.ts';
import { FIELD_NAMES, parseSubmission } from './schema.ts';

const ADMISSION = { scope: 'stt', counted: 'request' } as const;

/** Whether the answer is the result: told what the form said of it, null when it said nothing. */
export type Waits = (asked: boolean | null) => boolean;

export type Accepted = { record: TranscriptionRecord; isWaiting: boolean };

/** How a submission is received: reads the form, checks the key, accepts the work. Throws AppError, and leaves nothing behind then. */
export type ReceiveSubmission = (request: FastifyRequest, reply: FastifyReply, waits: Waits) => Promise<Accepted>;

export function createSubmissionReceiver(services: HttpServices, authenticator: Authenticator): ReceiveSubmission {
  const { incomingDir, maxUploadBytes } = services.config;
  const anonymous: AnonymousUploads = { held: 0, limit: 4 * maxUploadBytes };

  return async (request, reply, waits) => {
    if (!request.isMultipart()) {
      await authenticator.admit(bodyKey(request) ?? headerKey(request), ADMISSION, request, reply);
      throw new AppError(request.headers['content-type'] === undefined ? 'missing_file' : 'unsupported_media_type');
    }
    const authentication = createFormAuthentication(authenticator, ADMISSION, anonymous, request, reply);
    try {
      await using upload = await receiveUpload(request, {
        incomingDir,
        maxFileBytes: maxUploadBytes,
        fileField: 'data',
        fieldNames: FIELD_NAMES,
        beforeFile: authentication.beforeFile,
      });
      const caller = await authentication.caller(upload.fields);
      return await acceptUpload(upload, caller, request, waits, services);
    } finally {
      authentication.release();
    }
  };
}

async function acceptUpload(
  { file, fields }: Upload,
  caller: Caller,
  request: FastifyRequest,
  waits: Waits,
  services: HttpServices,
): Promise<Accepted> {
  if (file === null) throw new AppError('missing_file');
  const { options, waitForCompletion } = parseSubmission(fields);
  const isWaiting = waits(waitForCompletion);
  // Only a caller that waits has no other id to ask for its transcription by when the connection breaks.
  const callersId = isWaiting ? request.id : null;
  return { record: await acceptTranscription({ caller, file, options, callersId }, services), isWaiting };
}
