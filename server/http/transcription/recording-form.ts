import type { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { checkCallbackUrl, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { missingFile, type ReceivedForm } from '#http/form-body.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { idempotencyKeyFrom } from '#http/idempotency-key.ts';
import { FIELD_NAMES, MAX_BATCH_FILES, parseSubmission } from './schema.ts';
import { submissionBody } from './submission-form.ts';

/** One address, or at least one file. */
export type SubmittedForm = ReturnType<typeof parseSubmission> & {
  files: readonly UploadedFile[];
  idempotencyKey: string | null;
};

/** The form of the hosted service, as this route documents it. */
export function recordingForm(
  form: z.ZodType,
  policy: CallbackPolicy,
  uploads: UploadLimits,
): BodyReader<SubmittedForm> {
  return submissionBody<SubmittedForm>(
    {
      docs: { form },
      fileField: 'data',
      otherFileFields: ['audio'],
      maxFiles: MAX_BATCH_FILES,
      fieldNames: FIELD_NAMES,
      parse: (received) => parseForm(received, policy),
      parseWithoutFile: (received) => parseForm(received, policy),
    },
    uploads,
  );
}

function parseForm({ files, fields, request }: ReceivedForm, policy: CallbackPolicy): SubmittedForm {
  const idempotencyKey = idempotencyKeyFrom(request.headers);
  const submission = parseSubmission(fields);
  const { callbackUrl, dataUrl } = submission;
  if (callbackUrl !== null) checkCallbackUrl(callbackUrl, policy);
  if (files.length > 0 && dataUrl !== null) {
    throw new AppError(
      'invalid_request',
      'Send the recording as the file "data" or its address as "data_url", not both.',
    );
  }
  if (dataUrl !== null) checkCallbackUrl(dataUrl, policy, 'data_url');
  if (files.length === 0 && dataUrl === null) throw missingFile('audio', 'data');
  return { files, idempotencyKey, ...submission };
}
