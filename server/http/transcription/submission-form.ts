import type { FastifyContextConfig, FastifyReply } from 'fastify';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { ModelCatalog } from '@jyutsing/contracts/model-catalog';
import { formBody, missingFile, type FormParts, type ReceivedForm } from '#http/form-body.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { modelNamed } from '#http/known-model.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile } from '#http/save-upload.ts';

export const SUBMISSION_AUTH = { scope: 'stt', rateLimit: 'request' } as const;

/** Errors of receiving, accepting and waiting for a transcription. */
export const SUBMISSION_ERRORS = [
  'missing_file',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'audio_too_long',
  'quota_exceeded',
  'storage_exceeded',
  'engine_failed',
  'engine_unavailable',
  'timed_out',
  'invalid_parameter',
] as const satisfies ErrorCode[];

type SubmissionForm<Input> = FormParts & {
  docs: Pick<FastifyContextConfig, 'form'>;
  parse(form: ReceivedForm & { file: UploadedFile }): Input;
  /** Makes the input of a form without a file; absent: it is refused. */
  parseWithoutFile?(form: ReceivedForm): Input;
};

/** A form with a recording to transcribe. */
export function submissionBody<Input>(form: SubmissionForm<Input>, limits: UploadLimits): BodyReader<Input> {
  return formBody<Input>({
    ...form,
    limits,
    parse({ file, ...received }) {
      if (file !== null) return form.parse({ ...received, file });
      if (form.parseWithoutFile === undefined) throw missingFile('audio', form.fileField);
      return form.parseWithoutFile({ ...received, file });
    },
    parseOther({ headers }) {
      if (headers['content-type'] === undefined) throw missingFile('audio', form.fileField);
      throw new AppError('unsupported_media_type');
    },
  });
}

/**
 * The model that a submission names, null for the best one. A name that this server does not know
 * is reported in a header of the answer.
 */
export function modelFor(requestedName: string | null, models: ModelCatalog, reply: FastifyReply): string | null {
  const { name, headers } = modelNamed(models, 'recognizer', requestedName);
  reply.headers(headers);
  return name;
}
