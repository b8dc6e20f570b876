import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { apiKeyField, audioFile, formBoolean, formText, parseForm } from '#http/form-fields.ts';
import type { ModelSummary } from '#http/services.ts';
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
    description: 'What `verbose_json` times; absent: segments.',
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
  .describe('`yue` or `zh-HK`; `zh` or `cmn`; `en`; or `cantonese`, `mandarin`, `english`. Absent: it is found out.');

/** The form without key and file. Other fields of OpenAI's are ignored. */
const Fields = z.object({
  model: formText(
    200,
    'One of `/v1/models`. Names of OpenAI (`whisper-1`, `gpt-4o-transcribe` …) and `auto` mean the best model of this server.',
  ).optional(),
  language,
  prompt: formText(10_000, 'A hint about topic, names or domain.').optional(),
  response_format: z
    .enum(FORMATS, `must be one of ${FORMATS.join(', ')}`)
    .default('json')
    .meta({ default: 'json', description: 'The shape of the answer. `verbose_json` has times and confidences.' }),
  'timestamp_granularities[]': granularities,
  temperature: z.coerce
    .number('must be a number between 0 and 1')
    .min(0, 'must be a number between 0 and 1')
    .max(1, 'must be a number between 0 and 1')
    .optional()
    .describe('Accepted and without effect: recognition is deterministic.'),
  stream: formBoolean(
    'Answers with server-sent events: the text of each segment as it is heard, not corrected. For `json` and `text`.',
  ),
});

/** The whole form, for the documentation. */
export const TranscriptionForm = z.object({ file: audioFile, ...Fields.shape, api_key: apiKeyField });

/** Some clients leave the brackets out. */
const PLAIN_GRANULARITIES = 'timestamp_granularities';
const LIST_FIELD = `${PLAIN_GRANULARITIES}[]` as const;
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(TranscriptionForm.shape), PLAIN_GRANULARITIES]);
export const LIST_FIELD_NAMES: ReadonlySet<string> = new Set([LIST_FIELD, PLAIN_GRANULARITIES]);

/** How the answer is to look. */
export type AnswerShape = { format: ResponseFormat; granularities: ReadonlySet<Granularity>; isStream: boolean };

/** The form as options and the shape of the answer. Throws `invalid_request`: bad values are 400 at OpenAI. */
export function parseTranscriptionForm(
  fields: FormFields,
  models: readonly ModelSummary[],
): { options: TranscriptionOptions; shape: AnswerShape } {
  const plain = fields.get(PLAIN_GRANULARITIES);
  const sent = plain === undefined ? fields : new Map([[LIST_FIELD, plain], ...fields]);
  const form = parseForm(Fields, sent, 'invalid_request');
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
      // Only what a later poll of the record shows depends on it: times for whoever asked for times.
      withTimestamp: format === 'srt' || format === 'vtt' || format === 'verbose_json',
      withDiarization: false,
      context: prompt.trim() === '' ? null : prompt,
      // The words of a stream are out before they could be corrected, and together they must be the text at its end.
      skipFusion: isStream,
      corpusIds: isStream ? [] : null,
      model: chosenModel(form.model ?? 'auto', models),
    },
    shape: { format, granularities: new Set(asked ?? ['segment']), isStream },
  };
}

/** Null leaves the choice to the server: what people mean who only write what OpenAI's form requires. */
function chosenModel(name: string, models: readonly ModelSummary[]): string | null {
  if (name === '' || name === 'auto') return null;
  const isOurs = models.some((model) => model.name === name || model.engine === name);
  const isOfOpenAI = name === 'whisper-1' || (name.startsWith('gpt-') && name.includes('transcribe'));
  return isOfOpenAI && !isOurs ? null : name;
}

const seconds = (description: string) => z.number().describe(description);

const Usage = z.object({ type: z.literal('duration'), seconds: z.int().describe('Seconds that were charged.') });

const Languages = z
  .array(z.object({ code: z.enum(['yue', 'zh', 'en']) }))
  .describe('The language that was heard, or asked for.');

export const TranscriptionAnswer = z
  .object({ text: z.string(), languages: Languages, usage: Usage })
  .meta({ id: 'OpenAITranscription' });

const TimedSegment = z.object({
  id: z.int(),
  seek: z.int().describe('Hundredths of a second to where the recogniser began this segment.'),
  start: seconds('Seconds.'),
  end: seconds('Seconds.'),
  text: z.string(),
  tokens: z.array(z.int()).describe('Always empty: tokens of the recognisers are of no use outside.'),
  temperature: z.number().describe('Always 0.'),
  avg_logprob: z
    .number()
    .nullable()
    .describe("Mean logarithm of the words' confidences; null where the model does not tell any."),
  compression_ratio: z.number().describe('Bytes of the text by its bytes compressed with zlib, as Whisper counts it.'),
  no_speech_prob: z.number().describe('Always 0: only what was judged to be speech becomes a segment.'),
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
        'With `word`: one entry per Chinese character or English word; empty where the model times segments only.',
      ),
    segments: z.array(TimedSegment).optional().describe('With `segment`.'),
    usage: Usage,
  })
  .meta({ id: 'OpenAIVerboseTranscription' });
