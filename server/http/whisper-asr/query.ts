import { z } from 'zod';
import { LANGUAGE_CHOICES } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { formBoolean, formText, languageField, parseFields } from '#http/fields.ts';

const OUTPUTS = ['txt', 'vtt', 'srt', 'tsv', 'json'] as const;
export type Output = (typeof OUTPUTS)[number];
const TASKS = ['transcribe', 'translate'] as const;

const encode = formBoolean('False: bare samples of 16 bit, mono, at 16 kHz; a file stays one.', true);
export const DetectionQuery = z.object({ encode });
export const RecordingQuery = z.object({
  encode,
  task: z
    .enum(TASKS, `must be one of ${TASKS.join(', ')}`)
    .default('transcribe')
    .describe('`translate`: into English.'),
  language: languageField(LANGUAGE_CHOICES, { description: 'As for `/v1/audio/transcriptions`; absent: detected.' }),
  initial_prompt: formText(10_000, 'A hint about topic, names or domain.').optional(),
  word_timestamps: formBoolean('In `json` also the times of the words.'),
  output: z.enum(OUTPUTS, `must be one of ${OUTPUTS.join(', ')}`).default('txt'),
});

/** Other parameters are ignored, and empty ones count as absent. Throws `invalid_parameter`. */
export function parseQuery(query: unknown): z.output<typeof RecordingQuery> {
  const filled = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== '');
  return parseFields(RecordingQuery, Object.fromEntries(filled), 'invalid_parameter');
}

export function optionsOf({ language, initial_prompt: prompt }: Partial<z.output<typeof RecordingQuery>>) {
  const options: TranscriptionOptions = {
    language: language ?? 'auto',
    withTimestamp: true,
    withDiarization: false,
    context: prompt ?? null,
    skipFusion: false,
    corpusIds: null,
    model: null,
  };
  return options;
}
