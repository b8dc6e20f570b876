import { z } from 'zod';
import { LANGUAGE_CHOICES } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { apiKeyField, audioFile, formBoolean, formText, parseForm } from '#http/form-fields.ts';
import type { FormFields } from '#http/upload.ts';

/** A submission without its file. The misspelling `with_timestmap` is in public clients and stays out of the documentation. */
const Fields = z.object({
  with_timestamp: formBoolean('Gives the text as numbered blocks with times.'),
  with_diarization: formBoolean('Tells speakers apart.'),
  context: formText(10_000, 'A hint about topic, names or domain.').optional(),
  skip_fusion: formBoolean(
    'Leaves out the correction that follows the recognition; `corpus_ids` is then not looked at.',
  ),
  corpus_ids: formText(
    10_000,
    'Comma-separated ids of corpora that bias the correction; `none` or empty: no correction; absent: the default public ones.',
  ).optional(),
  callback_url: z
    .string()
    .optional()
    .describe('Where the final record is sent as a signed POST (Standard Webhooks); public, https. Empty: nowhere.'),
  lang: z
    .string()
    .toLowerCase()
    .pipe(z.enum(LANGUAGE_CHOICES, `must be one of ${LANGUAGE_CHOICES.join(', ')}`))
    .default('cantonese')
    .meta({
      enum: [...LANGUAGE_CHOICES],
      default: 'cantonese',
      description: 'The language spoken; `auto` finds it out and tells it in `output_language`.',
    }),
  model: formText(
    200,
    'The recognition model, one of `/v1/models`; absent or `auto`: the best for the language.',
  ).optional(),
});

/** The whole form of the endpoints that always wait, for the documentation. */
export const BlockingForm = z.object({ api_key: apiKeyField, data: audioFile, ...Fields.shape });

/** The whole form of POST /api/stt. */
export const SubmitForm = BlockingForm.extend({
  wait_for_completion: formBoolean('Waits for the result instead of answering with a request id at once.'),
});

/** For the documentation: the handler judges it, once the caller is known. Loose, because other headers must not be lost. */
export const SubmitHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe('At most 255 printable ASCII characters. The same key with another file or other options is 422.'),
});

/** The fields that a handler keeps. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(SubmitForm.shape), 'with_timestmap']);

export type SubmissionOptions = {
  options: TranscriptionOptions;
  /** Not checked yet. */
  callbackUrl: string | null;
  waitForCompletion: boolean | null;
};

/** The form as options; `waitForCompletion` null when it was not said. Throws `invalid_parameter`. */
export function parseSubmission(fields: FormFields): SubmissionOptions {
  const corrected = new Map(fields);
  const misspelt = fields.get('with_timestmap');
  if (misspelt !== undefined && !fields.has('with_timestamp')) corrected.set('with_timestamp', misspelt);
  const form = parseForm(Fields, corrected);
  const { wait_for_completion: waits } = parseForm(SubmitForm.pick({ wait_for_completion: true }), fields);
  return {
    options: {
      language: form.lang,
      withTimestamp: form.with_timestamp,
      withDiarization: form.with_diarization,
      context: form.context === undefined || form.context.trim() === '' ? null : form.context,
      skipFusion: form.skip_fusion,
      corpusIds: form.skip_fusion ? [] : parseCorpusIds(form.corpus_ids),
      model: form.model === undefined || form.model === 'auto' ? null : form.model,
    },
    callbackUrl: form.callback_url === undefined || form.callback_url.trim() === '' ? null : form.callback_url,
    waitForCompletion: fields.has('wait_for_completion') ? waits : null,
  };
}

/** Each once and in one order, so that one choice has one name. */
function parseCorpusIds(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const sent = text.split(',').map((id) => id.trim());
  const ids = [...new Set(sent.filter((id) => id !== ''))].sort();
  return ids.length === 1 && ids[0]?.toLowerCase() === 'none' ? [] : ids;
}

export const BlockingAnswer = z
  .object({
    text: z
      .string()
      .describe('The final text; with `with_timestamp` numbered blocks: index, time range, text, blank line.'),
    diarization: z.string().optional().describe('With `with_diarization` and no timestamps: one line per turn.'),
    duration: z.string().describe('Seconds of audio, six digits after the point.'),
    is_cached: z.boolean().optional().describe('Only when the result came from a cache; it cost no quota then.'),
    process_time: z.number().describe('Seconds of processing.'),
  })
  .meta({ id: 'BlockingTranscription' });

export const SubmitAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({ request_id: z.uuid(), status: z.literal('processing') }),
  })
  .meta({ id: 'SubmittedTranscription' });
