import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { SPEED_BOUNDS } from '#features/synthesis/make-speech-file.ts';
import {
  booleanField,
  choiceField,
  MAX_TEXT_CHARACTERS,
  numberField,
  optionalText,
  jsonKeyField,
} from '#http/json-fields.ts';

const FILE_FORMATS = ['wav', 'mp3', 'ogg', 'flac'] as const;
const FRAME_RATES = ['16000', '24000', '44100'] as const;
/** Names of the streaming endpoint, so that a body can be sent to either. */
const LANGUAGE_ALIASES: Readonly<Record<string, Language>> = { chinese: 'cantonese' };
const DEFAULTS = { language: 'cantonese', frame_rate: '24000', output_extension: 'wav', speed: 1, pitch: 0 } as const;
/** Longer than any text takes. */
const MAX_DURATION_SECONDS = 3_600;

/** The body of POST /api/tts. */
export const FileBody = z.object({
  api_key: jsonKeyField,
  text: optionalText(MAX_TEXT_CHARACTERS, { description: 'What is to be said. Needed unless there is `jyutping`.' }),
  jyutping: optionalText(MAX_TEXT_CHARACTERS * 8, {
    description:
      'Syllables of jyutping with tones, parted by spaces, said exactly so; Cantonese only. Beside `text` they are the reading of its characters, one each.',
  }),
  voice_id: optionalText(MAX_TEXT_CHARACTERS, {
    description: 'One of GET /api/voices. Absent: a public voice of the language.',
  }),
  language: choiceField(
    LANGUAGES,
    { default: DEFAULTS.language, description: 'Also `Chinese` and `lang`.' },
    LANGUAGE_ALIASES,
  ),
  lang: choiceField(LANGUAGES, { description: 'The same as `language`, which wins.' }, LANGUAGE_ALIASES),
  frame_rate: choiceField(FRAME_RATES, { default: DEFAULTS.frame_rate, description: 'Samples a second of the file.' }),
  speed: numberField(SPEED_BOUNDS, { default: DEFAULTS.speed, description: "1: the voice's own rate." }),
  pitch: numberField(
    { min: -12, max: 12 },
    { default: DEFAULTS.pitch, description: "Semitones above the voice's own." },
  ),
  duration: numberField(
    { min: 0, max: MAX_DURATION_SECONDS, aboveMin: true },
    { description: 'Seconds that the file lasts, within 3 %. Wins over `speed`; 422 where nobody could follow it.' },
  ),
  output_extension: choiceField(FILE_FORMATS, { default: DEFAULTS.output_extension, description: 'The kind of file.' }),
  should_convert_from_simplified_to_traditional: booleanField(
    'The text is in Simplified characters: read it as Cantonese is written.',
  ),
  should_enhance: booleanField('Loudness to −16 LUFS, peaks held below −1 dBTP.'),
  should_return_timestamp: booleanField('Answer in JSON: the file in base64, and when each word is said.'),
  model_id: optionalText(200, {
    description: 'One of /v1/models that speaks. Absent or `auto`: the best for the language.',
  }),
});

/** What a caller of the file asks for. One of `text` and `jyutping` is there. */
export type FileAsk = {
  text: string | null;
  jyutping: string | null;
  voiceId: string | null;
  language: Language;
  model: string;
  sampleRateHz: number;
  speed: number;
  pitchSemitones: number;
  durationMs: number | null;
  format: (typeof FILE_FORMATS)[number];
  fromSimplified: boolean;
  enhance: boolean;
  withTimes: boolean;
};

/** Throws `invalid_request` where there is nothing to say, or jyutping for another language. */
export function viewFileAsk(body: z.output<typeof FileBody>): FileAsk {
  const { text, jyutping } = body;
  const language = body.language ?? body.lang ?? DEFAULTS.language;
  if (text === null && jyutping === null)
    throw new AppError('invalid_request', 'The field "text" is missing or empty.');
  if (jyutping !== null && language !== 'cantonese') {
    throw new AppError('invalid_request', 'The field "jyutping" is for Cantonese only; leave it or "language" out.');
  }
  return {
    text,
    jyutping,
    voiceId: body.voice_id,
    language,
    model: body.model_id ?? 'auto',
    sampleRateHz: Number(body.frame_rate ?? DEFAULTS.frame_rate),
    speed: body.speed ?? DEFAULTS.speed,
    pitchSemitones: body.pitch ?? DEFAULTS.pitch,
    durationMs: body.duration === null ? null : body.duration * 1_000,
    format: body.output_extension ?? DEFAULTS.output_extension,
    fromSimplified: body.should_convert_from_simplified_to_traditional,
    enhance: body.should_enhance,
    withTimes: body.should_return_timestamp,
  };
}

const seconds = (description: string) => z.number().describe(description);

/** The answer with times. */
export const TimedFileAnswer = z
  .object({
    success: z.literal(true),
    request_id: z.string().describe('The same as the header X-Request-Id.'),
    srt_timestamp: z.string().describe('The words as a SubRip (.srt) file.'),
    timestamps: z
      .array(z.object({ start: seconds('Seconds.'), end: seconds('Seconds.'), text: z.string() }))
      .describe('One entry for each word, in order. Of models that tell no times: shares of the sound by length.'),
    file: z.string().describe('The file in base64.'),
  })
  .meta({ id: 'TimedSpeech' });
