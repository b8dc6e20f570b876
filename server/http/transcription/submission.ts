import type { FastifyContextConfig } from 'fastify';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { formBody, missingFile, type ReceivedForm, type UploadLimits } from '#http/form-body.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile, UploadOptions } from '#http/upload.ts';

export const SUBMISSION_AUTH = { scope: 'stt', rateLimit: 'request' } as const;

/** Errors of receiving, accepting and waiting for a transcription. */
export const SUBMISSION_ERRORS = [
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
  'invalid_parameter',
] as const satisfies ErrorCode[];

type SubmissionForm<Input> = Pick<UploadOptions, 'fileField' | 'fieldNames' | 'listFieldNames'> & {
  docs: Pick<FastifyContextConfig, 'form'>;
  parse(form: ReceivedForm & { file: UploadedFile }): Input;
};

/** A form with a recording to transcribe. */
export function submissionBody<Input>(form: SubmissionForm<Input>, limits: UploadLimits): BodyReader<Input> {
  return formBody<Input>({
    ...form,
    limits,
    parse({ file, ...received }) {
      if (file === null) throw missingFile('audio', form.fileField);
      return form.parse({ ...received, file });
    },
    parseOther({ headers }) {
      if (headers['content-type'] === undefined) throw missingFile('audio', form.fileField);
      throw new AppError('unsupported_media_type');
    },
  });
}
