import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { SpeechStyle } from '@jyutsing/contracts/synthesizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { SPEED_BOUNDS } from '#features/synthesis/make-speech-file.ts';
import { spokenCorporaField } from '#http/corpus-ids.ts';
import {
  booleanField,
  choiceField,
  apiKeyField,
  languageField,
  MAX_TEXT_CHARACTERS,
  numberField,
  optionalText,
} from '#http/fields.ts';
import { isSsml } from '@jyutsing/text/ssml/read-ssml';
import { DEFAULT_STYLE, SAMPLING_FIELDS, samplingOf } from './speak.ts';
import { readSpeechScript, type SpeechScript } from './speech-script.ts';
import { isTooLong, withoutThoughts } from './speech-text-field.ts';

const FILE_FORMATS = ['wav', 'mp3', 'ogg', 'flac'] as const;
const FRAME_RATES = { min: 8_000, max: 48_000, isWhole: true };
const DEFAULTS = { language: 'cantonese', frame_rate: 24_000, output_extension: 'wav' } as const;
/** Longer than the speech of any text. */
const MAX_DURATION_SECONDS = 3_600;

/** The body of POST /api/tts. */
export const FileBody = z.object({
  api_key: apiKeyField,
  // Longer texts are refused later, with a status of their own.
  text: optionalText(Infinity, {
    description: 'The text to synthesize, or SSML, of which what is spoken counts. Required without `jyutping`.',
  }).meta({ maxLength: MAX_TEXT_CHARACTERS }),
  jyutping: optionalText(MAX_TEXT_CHARACTERS * 8, {
    description:
      'Jyutping syllables with tones, separated by spaces, synthesized exactly so; Cantonese only. With `text` they are the readings of its characters, one each.',
  }),
  voice_id: optionalText(MAX_TEXT_CHARACTERS, {
    description:
      'One of GET /api/voices, or `default`, `female`, `male`. Absent: a public voice of the language. The default voice speaks for an unknown UUID.',
  }),
  voice: optionalText(MAX_TEXT_CHARACTERS, { description: 'Alias of `voice_id`, which wins.' }),
  language: languageField(LANGUAGES, { default: DEFAULTS.language, description: 'By name or code. Also `lang`.' }),
  lang: languageField(LANGUAGES, { description: 'Alias of `language`, which wins.' }),
  frame_rate: numberField(FRAME_RATES, {
    default: DEFAULTS.frame_rate,
    description: 'Sample rate of the file in Hz; MP3 has the next higher of its rates.',
  }),
  speed: numberField(SPEED_BOUNDS, { default: DEFAULT_STYLE.speed, description: "1 is the voice's own rate." }),
  pitch: numberField(
    { min: -12, max: 12 },
    { default: DEFAULT_STYLE.pitchSemitones, description: "Semitones above the voice's own pitch." },
  ),
  duration: numberField(
    { min: 0, max: MAX_DURATION_SECONDS, aboveMin: true },
    {
      description:
        'Length of the file in seconds, within 3 %. Overrides `speed`. Where half the usual rate is too fast, silence follows (`X-Duration-Padding`). 422 when the speech would be too fast, or more than 120 s of silence be needed.',
    },
  ),
  ...SAMPLING_FIELDS,
  corpus_ids: spokenCorporaField,
  output_extension: choiceField(FILE_FORMATS, { default: DEFAULTS.output_extension, description: 'The file format.' }),
  output_format: choiceField(FILE_FORMATS, { description: 'Alias of `output_extension`, which wins.' }),
  format: choiceField(FILE_FORMATS, { description: 'Alias of `output_extension`, which wins.' }),
  should_convert_from_simplified_to_traditional: booleanField(
    'The text is in Simplified characters; they are converted before synthesis.',
  ),
  should_enhance: booleanField('Normalizes loudness to −16 LUFS and limits peaks to −1 dBTP.'),
  should_return_timestamp: booleanField('Answers in JSON with the file in base64 and the times of each word.'),
  model_id: optionalText(200, {
    description: 'A synthesis model of /v1/models. Absent, `auto` or unknown: the best for the language.',
  }),
  model: optionalText(200, { description: 'Alias of `model_id`, which wins.' }),
});

/** At least one of `script` and `jyutping` is not null. */
export type FileRequest = {
  script: SpeechScript | null;
  jyutping: string | null;
  voiceId: string | null;
  language: Language;
  model: string | null;
  style: SpeechStyle;
  sampleRateHz: number;
  durationMs: number | null;
  format: (typeof FILE_FORMATS)[number];
  fromSimplified: boolean;
  /** Corpora whose words are said as they say; null: those of the account. */
  corpusIds: readonly string[] | null;
  enhance: boolean;
  withTimes: boolean;
};

/**
 * Throws `invalid_request` for no text at all, malformed SSML, or jyutping of another language or
 * beside SSML; `payload_too_large` for a text that is too long.
 */
export async function parseFileRequest(body: z.output<typeof FileBody>): Promise<FileRequest> {
  const { jyutping } = body;
  const text = body.text === null ? '' : withoutThoughts(body.text);
  if (text === '' && jyutping === null) throw new AppError('invalid_request', 'The field "text" is missing or empty.');
  if (!isSsml(text) && isTooLong(text)) {
    throw new AppError('payload_too_large', `The field "text" must have at most ${MAX_TEXT_CHARACTERS} characters.`);
  }
  const script = text === '' ? null : await readSpeechScript(text, 'text', 'payload_too_large');
  const language = body.language ?? body.lang ?? script?.document?.language ?? DEFAULTS.language;
  if (jyutping !== null && (script?.document ?? null) !== null) {
    throw new AppError('invalid_request', 'SSML has readings in "phoneme"; leave the field "jyutping" out.');
  }
  if (jyutping !== null && language !== 'cantonese') {
    throw new AppError('invalid_request', 'The field "jyutping" is for Cantonese only; leave it or "language" out.');
  }
  return {
    script,
    jyutping,
    voiceId: body.voice_id ?? body.voice,
    language,
    model: body.model_id ?? body.model,
    style: {
      ...samplingOf(body),
      speed: body.speed ?? DEFAULT_STYLE.speed,
      pitchSemitones: body.pitch ?? DEFAULT_STYLE.pitchSemitones,
    },
    sampleRateHz: body.frame_rate ?? DEFAULTS.frame_rate,
    durationMs: body.duration === null ? null : body.duration * 1_000,
    format: body.output_extension ?? body.output_format ?? body.format ?? DEFAULTS.output_extension,
    fromSimplified: body.should_convert_from_simplified_to_traditional,
    corpusIds: body.corpus_ids,
    enhance: body.should_enhance,
    withTimes: body.should_return_timestamp,
  };
}

const seconds = (description: string) => z.number().describe(description);

/** The answer with word times. */
export const TimedFileAnswer = z
  .object({
    success: z.literal(true),
    request_id: z.string().describe('The same as the header X-Request-Id.'),
    srt_timestamp: z.string().describe('The words as a SubRip (.srt) file.'),
    timestamps: z
      .array(z.object({ start: seconds('Seconds.'), end: seconds('Seconds.'), text: z.string() }))
      .describe('One entry for each word, in order; estimated from word lengths for models without word times.'),
    marks: z
      .array(z.object({ name: z.string(), time: seconds('Seconds.') }))
      .describe('Only for SSML with `mark`: when each mark is reached, in order.')
      .optional(),
    duration_padding: seconds('Only when `duration` needed silence at the end: its seconds.').optional(),
    file: z.string().describe('The file in base64.'),
  })
  .meta({ id: 'TimedSpeech' });
