import { z } from 'zod';
import { LANGUAGE_CHOICES } from '#contracts/transcript.ts';
import type { TranscriptionOptions } from '#contracts/transcription.ts';
import { apiKeyField, audioFile, formBoolean, formText, parseForm } from '#http/form-fields.ts';
import type { FormFields } from '#http/upload.ts';

/** A submission without its file. The misspelling `with_timestmap` is in public clients and stays out of the documentation. */
const Fields = z.object({
  with_timestamp: formBoolean('Gives the text as numbered blocks with times.'),
  with_diarization: formBoolean('Tells speakers apart.'),
  context: formText(10_000, 'A hint about topic, names or domain.').optional(),
  skip_fusion: formBoolean('Leaves out the correction step that follows the recognition.'),
  corpus_ids: formText(
    10_000,
    'Comma-separated ids of corpora that bias the correction; `none` or empty: no correction; absent: the default public ones.',
  ).optional(),
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

/** The fields that a handler keeps. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(SubmitForm.shape), 'with_timestmap']);

export type SubmissionOptions = { options: TranscriptionOptions; waitForCompletion: boolean | null };

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
      corpusIds: parseCorpusIds(form.corpus_ids),
      model: form.model === undefined || form.model === 'auto' ? null : form.model,
    },
    waitForCompletion: fields.has('wait_for_completion') ? waits : null,
  };
}

function parseCorpusIds(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0 || (ids.length === 1 && ids[0]?.toLowerCase() === 'none')) return [];
  return ids;
}

export const BlockingAnswer = z
  .object({
    text: z.string().describe('The text; with `with_timestamp` numbered blocks: index, time range, text, blank line.'),
    diarization: z.string().optional().describe('With `with_diarization` and no timestamps: one line per turn.'),
    duration: z.string().describe('Seconds of audio, six digits after the point.'),
    is_cached: z.boolean().optional().describe('Only when the result came from a cache.'),
    process_time: z.number().describe('Seconds of processing.'),
  })
  .meta({ id: 'BlockingTranscription' });

export const SubmitAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({ request_id: z.uuid(), status: z.literal('processing') }),
  })
  .meta({ id: 'SubmittedTranscription' });

export const Record = z
  .object({
    request_id: z.uuid(),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    duration_s: z.number().describe('Seconds of audio.'),
    output_language: z.string(),
    backend: z.string().optional().describe('The recognition engine; while processing and when completed.'),
    with_diarization: z.boolean().optional(),
    include_timestamp: z.boolean().optional(),
    context: z.string().optional().describe('When one was supplied.'),
    transcription: z.string().optional().describe('When completed; numbered blocks with `with_timestamp`.'),
    diarization: z.string().optional().describe('When completed, with diarization and no timestamps.'),
    processing_time: z.number().optional().describe('Seconds; when completed or failed.'),
    transcription_time: z.number().optional().describe('Seconds of recognition; when completed.'),
    fusion_time: z.number().optional().describe('Seconds of correction, 0 when it did not run; when completed.'),
    credits_used: z.number().optional().describe('One for each begun second of audio; when completed.'),
    error: z.string().optional().describe('The reason; when failed.'),
  })
  .meta({ id: 'Transcription' });

export const PollQuery = z.object({ id: z.string().describe('The `request_id` of the submission.') });

export const PollAnswer = z
  .union([
    z.object({ success: z.literal(true), transcription: Record }),
    z.object({ success: z.literal(false), message: z.string().describe('Unknown id, or one of another account.') }),
  ])
  .meta({ id: 'PolledTranscription' });
