import { z } from 'zod';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { FormFields } from './upload.ts';

/** A form's boolean: true, false, 1 or 0 in any case. */
export function formBoolean(description: string) {
  return z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error: 'must be true, false, 1 or 0' })
    .default(false)
    .meta({ type: 'boolean', default: false, description });
}

/** A form's free text. PostgreSQL cannot keep the null character. */
export function formText(maxLength: number, description: string) {
  return z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain null characters')
    .describe(description);
}

/** A form's file of sound, for the documentation. */
export const audioFile = z
  .file()
  .meta({ description: 'The recording: wav, mp3, m4a, flac or ogg, decided by its content.', format: 'binary' });

/** The key as a field, for the documentation: who may send it is decided before the form is validated. */
export const apiKeyField = z.string().optional().describe('API key. May come before or after the file.');

/** Checks the fields against their rules. Throws `invalid_parameter`, or another code, that names the first bad field. */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  fields: FormFields,
  code: ErrorCode = 'invalid_parameter',
): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(fields));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError(code, `The field "${issue?.path.join('.') ?? ''}" ${issue?.message ?? 'is not valid'}.`);
}
