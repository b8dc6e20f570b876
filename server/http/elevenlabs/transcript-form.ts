import { z } from 'zod';
import { MAX_SPEAKERS } from '@jyutsing/contracts/diarizer';
import { LANGUAGE_CHOICES } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { audioFile, formText, languageField, parseFields } from '#http/fields.ts';
import type { FormFields } from '#http/upload.ts';

const boolean = z.stringbool({ error: 'must be true or false' });
/** Refuses a choice that this server cannot follow, for which the client would wait. */
const refused = (why: string) =>
  boolean
    .refine((value) => !value, why)
    .optional()
    .describe('Refused when true.');

const GRANULARITIES = ['none', 'word', 'character'] as const;
const FORMATS = ['srt', 'txt'] as const;
const FORMAT_RULE = 'must be a list of objects with the format srt or txt';

const AdditionalFormats = z.array(
  z.looseObject({
    format: z.enum(FORMATS, FORMAT_RULE),
    include_speakers: z.boolean(FORMAT_RULE).nullish(),
    max_characters_per_line: z.int(FORMAT_RULE).min(1, FORMAT_RULE).nullish(),
  }),
  FORMAT_RULE,
);
export type AdditionalFormat = z.output<typeof AdditionalFormats>[number];

const Fields = z.object({
  model_id: formText(200, 'A model of this server; an unknown one is ignored.').optional(),
  language_code: languageField(LANGUAGE_CHOICES, { description: 'As for transcription; absent: detected.' }),
  diarize: boolean.default(false).describe('Name the speakers.'),
  num_speakers: z.coerce
    .number(`must be a whole number from 1 to ${MAX_SPEAKERS}`)
    .int(`must be a whole number from 1 to ${MAX_SPEAKERS}`)
    .min(1, `must be a whole number from 1 to ${MAX_SPEAKERS}`)
    .max(MAX_SPEAKERS, `must be a whole number from 1 to ${MAX_SPEAKERS}`)
    .optional()
    .describe('The most people that speak.'),
  timestamps_granularity: z
    .enum(GRANULARITIES, `must be one of ${GRANULARITIES.join(', ')}`)
    .default('word')
    .describe('`character` also gives the times of the characters of a word.'),
  keyterms: formText(10_000, 'Names and terms that may be said.').optional(),
  additional_formats: formText(10_000, 'Formats of texts.')
    .transform((text, context) => {
      const parsed = AdditionalFormats.safeParse(listOf(text));
      if (parsed.success) return parsed.data;
      context.addIssue(FORMAT_RULE);
      return z.NEVER;
    })
    .optional()
    .meta({ type: 'string', description: 'JSON: a list such as `[{"format": "srt"}]`; `srt` and `txt`.' }),
  file_format: z
    .literal('other', 'must be other; send the samples as a WAV file')
    .optional()
    .describe('Only `other`: the format is found in the file.'),
  webhook: refused('must be false; the response has the text'),
  use_multi_channel: refused('must be false; /v1/listen?multichannel=true recognizes each channel for itself'),
});
export const TranscriptForm = z.object({ file: audioFile, ...Fields.shape });
export const LIST_FIELD_NAMES: ReadonlySet<string> = new Set(['keyterms', 'additional_formats']);

/** A list as JSON, or objects as JSON on lines of their own; null for anything else. */
function listOf(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('[') ? text : `[${text.split('\n').join(',')}]`);
  } catch {
    return null;
  }
}

/** How the answer is written. */
export type TranscriptShape = {
  granularity: (typeof GRANULARITIES)[number];
  additionalFormats: readonly AdditionalFormat[] | null;
};

/** Throws `invalid_parameter`. */
export function parseTranscriptForm(form: FormFields): {
  options: TranscriptionOptions;
  shape: TranscriptShape;
} {
  const filled = Object.fromEntries([...form].filter(([, value]) => value.trim() !== ''));
  const fields = parseFields(Fields, filled, 'invalid_parameter');
  const terms = (fields.keyterms ?? '').split('\n').filter((term) => term.trim() !== '');
  return {
    options: {
      language: fields.language_code ?? 'auto',
      withTimestamp: true,
      withDiarization: fields.diarize,
      ...(fields.num_speakers === undefined ? {} : { speakers: { min: 1, max: fields.num_speakers } }),
      context: terms.length === 0 ? null : terms.join('、'),
      skipFusion: false,
      corpusIds: null,
      model: fields.model_id ?? null,
    },
    shape: { granularity: fields.timestamps_granularity, additionalFormats: fields.additional_formats ?? null },
  };
}
