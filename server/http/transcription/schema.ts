import { z } from 'zod';
import { LANGUAGE_CHOICES, LANGUAGES } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { apiKeyField, audioFile, formBoolean, formText, languageField, nameText, parseFields } from '#http/fields.ts';
import { channelsField, readChannels } from '#http/channels-field.ts';
import { parseCorpusIds } from '#http/corpus-ids.ts';
import { diarizationFields, readDiarization } from '#http/diarization-fields.ts';
import { noteFields } from '#http/recording-notes.ts';
import type { FormFields } from '#http/upload.ts';
import { readWriting, writingFields } from '#http/writing-fields.ts';
import { STATUSES } from './record-schema.ts';

/** Recordings of one submission. */
export const MAX_BATCH_FILES = 20;

/** A submission without its file. */
const Fields = z.object({
  with_timestamp: formBoolean('Returns the text as numbered blocks with times.'),
  with_diarization: formBoolean('Identifies the speakers.'),
  ...diarizationFields,
  ...channelsField,
  ...writingFields,
  context: formText(10_000, 'A hint about the topic, names or domain.').optional(),
  skip_fusion: formBoolean('Skips the correction after recognition; `corpus_ids` is then ignored.'),
  corpus_ids: formText(
    10_000,
    'Comma-separated ids of corpora that bias the correction; `none` or empty: no correction; absent: the default public ones.',
  ).optional(),
  callback_url: z
    .string()
    .optional()
    .describe(
      'URL to which the final record is sent as a signed POST (Standard Webhooks); public, https. Empty: none.',
    ),
  data_url: z
    .string()
    .optional()
    .describe('Instead of the file: the URL of the recording; public, https, without redirects. Empty: none.'),
  lang: languageField(LANGUAGE_CHOICES, {
    enum: [...LANGUAGES, 'auto'],
    default: 'cantonese',
    description:
      'The spoken language, by name or code (`yue`, `zh-HK`, `cmn`, `zh-CN`, `en` …). `auto` detects it and reports it in `output_language`; `zh` decides between Cantonese and Mandarin. Also `language`.',
  }),
  keep_audio: formBoolean('Keeps the recording as long as the record, for GET …/{id}/audio.'),
  title: nameText(200, 'Its name in lists.').optional(),
  model: formText(
    200,
    'A recognition model of `/v1/models`; absent, `auto` or unknown: the best for the language.',
  ).optional(),
});

/** The form of the endpoints that always wait, for the documentation. */
export const BlockingForm = z.object({ api_key: apiKeyField, data: audioFile, ...Fields.shape });

/** The form of POST /api/stt. */
export const SubmitForm = BlockingForm.extend({
  wait_for_completion: formBoolean('Waits for the result instead of returning a request id at once.'),
});

/** Other names of fields, undocumented, that public clients send; the documented one wins. */
const ALIASES = { language: 'lang', with_timestmap: 'with_timestamp', with_timestamps: 'with_timestamp' } as const;

export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(SubmitForm.shape), ...Object.keys(ALIASES)]);

const WaitField = SubmitForm.pick({ wait_for_completion: true });

type SubmissionOptions = {
  options: TranscriptionOptions;
  /** The address as sent, unchecked. */
  callbackUrl: string | null;
  /** The address as sent, unchecked. */
  dataUrl: string | null;
  waitForCompletion: boolean | null;
  title: string | null;
};

/** `waitForCompletion` null: not sent. Throws `invalid_parameter`. */
export function parseSubmission(fields: FormFields): SubmissionOptions {
  const corrected = new Map(fields);
  for (const [alias, name] of Object.entries(ALIASES)) {
    const value = fields.get(alias);
    if (value !== undefined && (corrected.get(name) ?? '').trim() === '') corrected.set(name, value);
  }
  if (corrected.get('lang')?.trim() === '') corrected.delete('lang');
  const form = parseFields(Fields, Object.fromEntries(corrected), 'invalid_parameter');
  const { wait_for_completion: waits } = parseFields(WaitField, Object.fromEntries(fields), 'invalid_parameter');
  return {
    options: {
      language: form.lang ?? 'cantonese',
      withTimestamp: form.with_timestamp,
      withDiarization: form.with_diarization,
      ...readChannels(form),
      ...(form.with_diarization ? readDiarization(form, 'invalid_parameter') : {}),
      ...readWriting(form),
      context: form.context === undefined || form.context.trim() === '' ? null : form.context,
      skipFusion: form.skip_fusion,
      corpusIds: form.skip_fusion ? [] : form.corpus_ids === undefined ? null : parseCorpusIds(form.corpus_ids),
      model: form.model ?? null,
      ...(form.keep_audio ? { keepAudio: true as const } : {}),
    },
    title: textOrNull(form.title),
    callbackUrl: textOrNull(form.callback_url),
    dataUrl: textOrNull(form.data_url),
    waitForCompletion: (fields.get('wait_for_completion') ?? '').trim() === '' ? null : waits,
  };
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

export const BlockingAnswer = z
  .object({
    text: z
      .string()
      .describe('The final text; with `with_timestamp` numbered blocks of index, time range, text and blank line.'),
    diarization: z
      .string()
      .optional()
      .describe('With `with_diarization` and without timestamps: one line per speaker turn.'),
    duration: z.string().describe('Seconds of audio with six decimals.'),
    is_cached: z.boolean().optional().describe('Only when the result came from a cache, which costs no quota.'),
    ...noteFields,
    process_time: z.number().describe('Seconds of processing.'),
  })
  .meta({ id: 'BlockingTranscription' });

export const SubmitAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({ request_id: z.uuid(), status: z.literal('processing') }),
  })
  .meta({ id: 'SubmittedTranscription' });

export const BatchAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({
      batch_id: z.uuid().describe('A value for `batch_id` of GET /api/speech-to-text.'),
      status: z.literal('processing'),
      transcriptions: z
        .array(
          z.object({
            request_id: z.uuid(),
            file_name: z.string().describe('The name of the file as sent.'),
            status: z.enum(STATUSES).describe('`failed` for a recording that cannot be read.'),
            error: z.string().optional().describe('The reason; when failed.'),
            error_code: z.string().optional().describe('The code of the reason in docs/errors.md; when failed.'),
          }),
        )
        .describe('One for each file, in order.'),
    }),
  })
  .meta({ id: 'SubmittedBatch' });
