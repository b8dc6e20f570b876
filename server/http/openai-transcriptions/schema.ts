import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { apiKeyField, audioFile, formBoolean, formText, parseFields } from '#http/fields.ts';
import type { FormFields } from '#http/upload.ts';
import { languageFromCode } from './language-code.ts';

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

const GRANULARITIES = ['word', 'segment'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const granularities = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(z.enum(GRANULARITIES, `must be ${GRANULARITIES.join(' or ')}`)))
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string', enum: [...GRANULARITIES] },
    description: 'The units that `verbose_json` gives times for; absent: segments.',
  });

const language = z
  .string()
  .transform((code, context) => {
    const choice = languageFromCode(code);
    if (choice !== null) return choice;
    context.addIssue('must be the code of Cantonese (yue, zh-HK), Mandarin (zh, cmn) or English (en)');
    return z.NEVER;
  })
  .optional()
  .describe('`yue` or `zh-HK`; `zh` or `cmn`; `en`; or `cantonese`, `mandarin`, `english`. Absent: detected.');

/** The form without key and file. OpenAI's other fields are ignored. */
const Fields = z.object({
  model: formText(
    200,
    "A model of `/v1/models`. OpenAI's names (`whisper-1`, `gpt-4o-transcribe` …), `auto` and unknown ones mean the best model of this server.",
  ).optional(),
  language,
  prompt: formText(10_000, 'A hint about topic, names or domain.').optional(),
  response_format: z
    .enum(FORMATS, `must be one of ${FORMATS.join(', ')}`)
    .default('json')
    .meta({ default: 'json', description: 'The format of the answer. `verbose_json` has times and confidences.' }),
  'timestamp_granularities[]': granularities,
  temperature: z.coerce
    .number('must be a number between 0 and 1')
    .min(0, 'must be a number between 0 and 1')
    .max(1, 'must be a number between 0 and 1')
    .optional()
    .describe('Accepted without effect: recognition is deterministic.'),
  stream: formBoolean(
    'Answers with server-sent events: the text of each segment when it is recognized, without correction. For `json` and `text`.',
  ),
});

/** The whole form, for the documentation. */
export const TranscriptionForm = z.object({ file: audioFile, ...Fields.shape, api_key: apiKeyField });

/** Some clients omit the brackets. */
const PLAIN_GRANULARITIES = 'timestamp_granularities';
const LIST_FIELD = `${PLAIN_GRANULARITIES}[]` as const;
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(TranscriptionForm.shape), PLAIN_GRANULARITIES]);
export const LIST_FIELD_NAMES: ReadonlySet<string> = new Set([LIST_FIELD, PLAIN_GRANULARITIES]);

/** The format of the answer. */
export type AnswerShape = { format: ResponseFormat; granularities: ReadonlySet<Granularity>; isStream: boolean };

/** Throws `invalid_request`, because OpenAI answers 400 to bad values. */
export function parseTranscriptionForm(fields: FormFields): { options: TranscriptionOptions; shape: AnswerShape } {
  const plain = fields.get(PLAIN_GRANULARITIES);
  const sent = plain === undefined ? fields : new Map([[LIST_FIELD, plain], ...fields]);
  const form = parseFields(Fields, Object.fromEntries(sent));
  const { response_format: format, stream: isStream, [LIST_FIELD]: asked } = form;
  if (asked !== undefined && format !== 'verbose_json') {
    throw new AppError('invalid_request', `The field "${LIST_FIELD}" needs "response_format" to be verbose_json.`);
  }
  if (isStream && format !== 'json' && format !== 'text') {
    throw new AppError('invalid_request', `A stream has no "response_format" ${format}; leave one of the two out.`);
  }
  const { prompt = '' } = form;
  return {
    options: {
      language: form.language ?? 'auto',
      // Affects only a later poll of the record, which then shows times.
      withTimestamp: format === 'srt' || format === 'vtt' || format === 'verbose_json',
      withDiarization: false,
      context: prompt.trim() === '' ? null : prompt,
      // Streamed words cannot be corrected later, and together they must equal the final text.
      skipFusion: isStream,
      corpusIds: isStream ? [] : null,
      model: form.model ?? null,
    },
    shape: { format, granularities: new Set(asked ?? ['segment']), isStream },
  };
}

const seconds = (description: string) => z.number().describe(description);

const Usage = z.object({ type: z.literal('duration'), seconds: z.int().describe('Seconds that were charged.') });

const Languages = z
  .array(z.object({ code: z.enum(['yue', 'zh', 'en']) }))
  .describe('The language that was detected or requested.');

export const TranscriptionAnswer = z
  .object({ text: z.string(), languages: Languages, usage: Usage })
  .meta({ id: 'OpenAITranscription' });

const TimedSegment = z.object({
  id: z.int(),
  seek: z.int().describe('Start of the segment in hundredths of a second.'),
  start: seconds('Seconds.'),
  end: seconds('Seconds.'),
  text: z.string(),
  tokens: z.array(z.int()).describe('Always empty.'),
  temperature: z.number().describe('Always 0.'),
  avg_logprob: z
    .number()
    .nullable()
    .describe("Mean logarithm of the words' confidences; null when the model reports none."),
  compression_ratio: z.number().describe('Size of the text divided by its size compressed with zlib, as in Whisper.'),
  no_speech_prob: z.number().describe('Always 0: segments contain speech only.'),
});

export const VerboseAnswer = z
  .object({
    task: z.literal('transcribe'),
    language: z.enum(['cantonese', 'mandarin', 'english']),
    duration: seconds('Seconds of audio.'),
    text: z.string(),
    words: z
      .array(z.object({ word: z.string(), start: seconds('Seconds.'), end: seconds('Seconds.') }))
      .optional()
      .describe(
        'With `word`: one entry per Chinese character or English word; empty when the model reports times of segments only.',
      ),
    segments: z.array(TimedSegment).optional().describe('With `segment`.'),
    usage: Usage,
  })
  .meta({ id: 'OpenAIVerboseTranscription' });
