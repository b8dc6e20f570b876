import { z } from 'zod';
import { LANGUAGE_CHOICES, type LanguageChoice } from '@jyutsing/contracts/transcript';
import { apiKeyField, audioFile, choiceField, formText, languageField, parseFields } from '#http/fields.ts';
import type { FormFields } from '#http/upload.ts';

const FORMATS = ['json', 'srt', 'vtt', 'textgrid'] as const;
export type AlignmentFormat = (typeof FORMATS)[number];

/** Ten hours of fast speech are less. */
export const MAX_TEXT_BYTES = 2 * 1024 ** 2;

const Fields = z.object({
  language: languageField(LANGUAGE_CHOICES, { description: 'As for transcription; absent: detected.' }),
  model: formText(200, 'The recognizer, as for transcription.').optional(),
  response_format: choiceField(FORMATS, {
    default: 'json',
    description: '`srt` and `vtt` have the sentences, `textgrid` (Praat) sentences, words and characters.',
  }),
});

/** The whole form, for the documentation. */
export const AlignmentForm = z.object({
  file: audioFile,
  text: z.string().describe('The text, or a file with it; at most 2 MiB of UTF-8.'),
  ...Fields.shape,
  api_key: apiKeyField,
});

export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(AlignmentForm.shape), 'lang', 'format']);

/** Throws `invalid_parameter`. */
export function parseAlignmentForm(fields: FormFields): {
  format: AlignmentFormat;
  language: LanguageChoice;
  model: string | null;
} {
  const read = (...names: string[]) =>
    names.map((name) => fields.get(name)?.trim()).find((value) => (value ?? '') !== '');
  const form = parseFields(
    Fields,
    {
      language: read('language', 'lang'),
      model: read('model'),
      response_format: read('response_format', 'format'),
    },
    'invalid_parameter',
  );
  return { format: form.response_format ?? 'json', language: form.language ?? 'auto', model: form.model ?? null };
}

const seconds = z.number().min(0);
const timed = { text: z.string(), start: seconds, end: seconds };
const Word = z.object({
  ...timed,
  score: z.number().min(0).max(1).describe('0: not heard; 1: heard as written.'),
  characters: z.array(z.object(timed)).describe('Of Chinese words.'),
});

export const AlignmentAnswer = z
  .object({
    duration: seconds,
    language: z.string(),
    segments: z.array(z.object({ ...timed, words: z.array(Word) })),
    disagreements: z.array(
      z.object({
        ...timed,
        heard: z.string().describe('Empty where nothing was said; `text` is empty where more was.'),
      }),
    ),
  })
  .meta({ id: 'Alignment' });
