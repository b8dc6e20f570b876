import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { CANDIDATES, LANGUAGE_CHOICES, type Language } from '@jyutsing/contracts/transcript';
import { ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { apiKeyField, audioFile, formBoolean, formText, languageField, parseFields } from '#http/fields.ts';
import { channelsField, readChannels } from '#http/channels-field.ts';
import { diarizationFields, readDiarization } from '#http/diarization-fields.ts';
import { noteFields } from '#http/recording-notes.ts';
import type { FormFields } from '#http/upload.ts';
import { readWriting, writingFields } from '#http/writing-fields.ts';

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

const GRANULARITIES = ['word', 'segment'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The settings of OpenAI for finding speech. */
const VadSettings = z.looseObject({
  type: z.literal('server_vad'),
  prefix_padding_ms: z.number().min(0).optional(),
  silence_duration_ms: z.number().min(0).optional(),
  threshold: z.number().min(0).max(1).optional(),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const granularities = formText(1_000, 'Units of times.')
  .transform((text) => text.split(/[,\n]/).map((item) => item.trim()))
  .pipe(z.array(z.enum(GRANULARITIES, `must be ${GRANULARITIES.join(' or ')}`)))
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string', enum: [...GRANULARITIES] },
    description: 'The units that `verbose_json` gives times for; absent: segments.',
  });

/** The values of a list field, which arrive on lines of their own; some clients use commas. */
const list = (description: string, separator = /[,\n]/) =>
  formText(10_000, description)
    .transform((text) => text.split(separator).flatMap((item) => (item.trim() === '' ? [] : [item.trim()])))
    .optional()
    .meta({ type: 'array', items: { type: 'string' }, description });

const languages = list('Codes of the languages that are possible; absent: all. `language` wins.').transform(
  (codes, context): Language[] | null => {
    const choices = (codes ?? []).map((code) => readLanguage(code));
    if (choices.some((choice) => choice === null)) {
      context.addIssue(`must be ${ACCEPTED_LANGUAGES}`);
      return z.NEVER;
    }
    const named = choices.flatMap((choice) => (choice === null ? [] : CANDIDATES[choice]));
    return choices.length === 0 || choices.includes('auto') ? null : [...new Set(named)];
  },
);

const include = list('`logprobs`: also the probability of each word, in `json` and in streams.').refine(
  (values) => (values ?? []).every((value) => value === 'logprobs'),
  'must be logprobs',
);

const chunkingStrategy = z
  .string()
  .refine((text) => text.trim() === '' || text === 'auto' || VadSettings.safeParse(parseJson(text)).success, {
    error: 'must be auto or an object of the type server_vad',
  })
  .optional()
  .describe('Accepted without effect: this service finds speech itself.');

const language = languageField(LANGUAGE_CHOICES, {
  description:
    '`yue` or `zh-HK`; `cmn` or `zh-CN`; `en`; `zh`: Cantonese or Mandarin, identified from the audio; or the names. Absent: detected.',
});

/** The form without key and file. OpenAI's other fields are ignored. */
const Fields = z.object({
  model: formText(
    200,
    "A model of `/v1/models`. OpenAI's names (`whisper-1`, `gpt-4o-transcribe` …), `auto` and unknown ones mean the best model of this server.",
  ).optional(),
  language,
  'languages[]': languages,
  prompt: formText(10_000, 'A hint about topic, names or domain.').optional(),
  'keywords[]': list('Names and terms, as a part of the hint.'),
  response_format: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() || undefined : value),
      z.enum(FORMATS, `must be one of ${FORMATS.join(', ')}`).default('json'),
    )
    .meta({
      default: 'json',
      description: 'The format of the answer. `verbose_json` has times and confidences, `diarized_json` speakers.',
    }),
  'include[]': include,
  chunking_strategy: chunkingStrategy,
  ...diarizationFields,
  ...channelsField,
  ...writingFields,
  'known_speaker_names[]': list(
    'With `diarized_json`: names of up to 4 people. Without references they have no effect.',
    // A name may have a comma.
    /\n/,
  ),
  'timestamp_granularities[]': granularities,
  temperature: z.coerce
    .number('must be a number between 0 and 1')
    .min(0, 'must be a number between 0 and 1')
    .max(1, 'must be a number between 0 and 1')
    .optional()
    .describe('Accepted without effect: recognition is deterministic.'),
  stream: formBoolean(
    'Answers with server-sent events: the text of each segment when it is recognized, without correction. For `json`, `text` and `diarized_json`.',
  ),
});

const references = z
  .array(z.string())
  .optional()
  .describe(
    'A recording of each of these people alone, 2 to 10 seconds, as a data URL or a file, in the order of the names. Whom no recording fits is called A, B, C …',
  );

/** The whole form, for the documentation. */
export const TranscriptionForm = z.object({
  file: audioFile,
  ...Fields.shape,
  'known_speaker_references[]': references,
  api_key: apiKeyField,
});

export const REFERENCE_NAMES: ReadonlySet<string> = new Set(['known_speaker_references[]', 'known_speaker_references']);

const GRANULARITY_FIELD = 'timestamp_granularities[]';
const BRACKETED = Object.keys(Fields.shape).filter((name) => name.endsWith('[]'));
/** Some clients omit the brackets. */
const PLAIN = BRACKETED.map((name) => name.slice(0, -2));
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(TranscriptionForm.shape), ...PLAIN, 'lang']);
export const LIST_FIELD_NAMES: ReadonlySet<string> = new Set([...BRACKETED, ...PLAIN]);

/** The format of the answer. */
export type AnswerShape = {
  format: ResponseFormat;
  granularities: ReadonlySet<Granularity>;
  isStream: boolean;
  withLogprobs: boolean;
};

type ParsedForm = { options: TranscriptionOptions; shape: AnswerShape; speakerNames: readonly string[] };

/** Throws `invalid_request`, because OpenAI answers 400 to bad values. */
export function parseTranscriptionForm(fields: FormFields): ParsedForm {
  const plain = PLAIN.flatMap((name) => (fields.has(name) ? [[`${name}[]`, fields.get(name)] as const] : []));
  const values = new Map<string, unknown>([...plain, ...fields]);
  // Some clients send every field they know; an empty language is detected.
  const [spoken] = [fields.get('language'), fields.get('lang')].filter((field) => (field ?? '').trim() !== '');
  if (spoken === undefined) values.delete('language');
  else values.set('language', spoken);
  const form = parseFields(Fields, Object.fromEntries(values));
  const {
    response_format: format,
    stream: isStream,
    [GRANULARITY_FIELD]: granularities,
    'languages[]': languages,
  } = form;
  if (isStream && format !== 'json' && format !== 'text' && format !== 'diarized_json') {
    throw new AppError('invalid_request', `A stream has no "response_format" ${format}; leave one of the two out.`);
  }
  const channels = readChannels(form);
  if (isStream && channels.channels !== undefined) {
    throw new AppError('invalid_request', 'A stream has no separate "channels"; leave one of the two out.');
  }
  const hint = [form.prompt ?? '', (form['keywords[]'] ?? []).join('、')]
    .filter((item) => item.trim() !== '')
    .join('\n');
  return {
    options: {
      language: form.language ?? (languages?.length === 1 ? languages[0] : undefined) ?? 'auto',
      ...(languages === null || languages.length === 1 || form.language !== undefined ? {} : { languages }),
      // Affects only a later poll of the record, which then shows times.
      withTimestamp: format === 'srt' || format === 'vtt' || format === 'verbose_json',
      withDiarization: format === 'diarized_json',
      ...channels,
      ...readWriting(form),
      ...(format === 'diarized_json' ? readDiarization(form, 'invalid_request') : {}),
      context: hint === '' ? null : hint,
      // Streamed words cannot be corrected later, and together they must equal the final text.
      skipFusion: isStream,
      corpusIds: isStream ? [] : null,
      model: form.model ?? null,
    },
    shape: {
      format,
      granularities: new Set(granularities ?? ['segment']),
      isStream,
      withLogprobs: form['include[]'] !== undefined && form['include[]'].length > 0,
    },
    speakerNames: form['known_speaker_names[]'] ?? [],
  };
}

const seconds = (description: string) => z.number().describe(description);

const Usage = z.object({ type: z.literal('duration'), seconds: z.int().describe('Seconds that were charged.') });

const Languages = z
  .array(z.object({ code: z.enum(['yue', 'zh', 'en']) }))
  .describe('The language that was detected or requested.');

const Logprobs = z
  .array(z.object({ token: z.string(), bytes: z.array(z.int()), logprob: z.number() }))
  .describe('With `include[]=logprobs`: one entry per word; none when the model reports no probabilities.');

const groqField = z.object({ id: z.string() }).optional().describe("At /openai/v1, for Groq's clients.");

export const TranscriptionAnswer = z
  .object({
    text: z.string(),
    languages: Languages,
    logprobs: Logprobs.optional(),
    ...noteFields,
    usage: Usage,
    x_groq: groqField,
  })
  .meta({ id: 'OpenAITranscription' });

const TimedSegment = z.object({
  id: z.int(),
  seek: z.int().describe('Start of the segment in hundredths of a second.'),
  start: seconds('Seconds.'),
  end: seconds('Seconds.'),
  text: z.string(),
  tokens: z.array(z.int()).describe('Always empty.'),
  temperature: z.number().describe('Always 0.'),
  avg_logprob: z.number().describe("Mean logarithm of the words' confidences; 0 when the model reports none."),
  compression_ratio: z.number().describe('Size of the text divided by its size compressed with zlib, as in Whisper.'),
  no_speech_prob: z
    .number()
    .describe('One minus the mean probability of a voice by the speech detector; 0 when it gives none.'),
  speaker: z.string().optional().describe('With `channels=separate`: the channel, such as `Channel 1`.'),
});

export const DiarizedAnswer = z
  .object({
    task: z.literal('transcribe'),
    duration: seconds('Seconds of audio.'),
    text: z.string(),
    segments: z.array(
      z.object({
        type: z.literal('transcript.text.segment'),
        id: z.string(),
        start: seconds('Seconds.'),
        end: seconds('Seconds.'),
        text: z.string(),
        speaker: z
          .string()
          .describe('The name of a known speaker; others are A, B, C … in the order of their first words.'),
      }),
    ),
    ...noteFields,
    usage: Usage,
  })
  .meta({ id: 'OpenAIDiarizedTranscription' });

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
    ...noteFields,
    usage: Usage,
    x_groq: groqField,
  })
  .meta({ id: 'OpenAIVerboseTranscription' });
