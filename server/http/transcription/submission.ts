import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import type { ErrorCode } from '@jyutsing/contracts/errors';
import { bodyKey, headerKey, type Authenticator, type Caller } from '#http/authentication.ts';
import { createFormAuthentication, type AnonymousUploads } from '#http/form-authentication.ts';
import { KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { receiveUpload, type FormFields, type UploadedFile, type UploadOptions } from '#http/upload.ts';

const ADMISSION = { scope: 'stt', counted: 'request' } as const;

/** A form that was read to its end, from a caller who may send it. */
export type SubmittedForm = { caller: Caller; file: UploadedFile; fields: FormFields };

/** One endpoint's form: how it is called on the wire, and what becomes of it. */
export type SubmissionForm<Accepted> = Pick<UploadOptions, 'fileField' | 'fieldNames' | 'listFieldNames'> & {
  /** The file is deleted afterwards, unless it was moved away. */
  accept(form: SubmittedForm): Promise<Accepted>;
};

/** How a submission is received: reads the form, checks the key, accepts the work. Throws AppError, and leaves nothing behind then. */
export type ReceiveSubmission = <Accepted>(
  request: FastifyRequest,
  reply: FastifyReply,
  form: SubmissionForm<Accepted>,
) => Promise<Accepted>;

/** What receiving, accepting and waiting for a transcription may answer. */
export const SUBMISSION_ERRORS = [
  ...KEY_ERRORS,
  'missing_file',
  'model_not_found',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'audio_too_long',
  'quota_exceeded',
  'engine_failed',
  'engine_unavailable',
  'timed_out',
] as const satisfies ErrorCode[];

/** One for all endpoints that take sound: what lies on the disk without a key is counted together. */
export function createSubmissionReceiver(services: HttpServices, authenticator: Authenticator): ReceiveSubmission {
  const { incomingDir, maxUploadBytes } = services.config;
  const anonymous: AnonymousUploads = { held: 0, limit: 4 * maxUploadBytes };

  return async (request, reply, { accept, ...form }) => {
    if (!request.isMultipart()) {
      await authenticator.admit(bodyKey(request) ?? headerKey(request), ADMISSION, request, reply);
      if (request.headers['content-type'] === undefined) throw missingFile(form.fileField);
      throw new AppError('unsupported_media_type');
    }
    const authentication = createFormAuthentication(authenticator, ADMISSION, anonymous, request, reply);
    try {
      await using upload = await receiveUpload(request, {
        ...form,
        incomingDir,
        maxFileBytes: maxUploadBytes,
        beforeFile: authentication.beforeFile,
      });
      const { file, fields } = upload;
      const caller = await authentication.caller(fields);
      if (file === null) throw missingFile(form.fileField);
      return await accept({ caller, file, fields });
    } finally {
      authentication.release();
    }
  };
}

function missingFile(fileField: string): AppError {
  return new AppError('missing_file', `Send the audio as a file in the form field "${fileField}".`);
}
