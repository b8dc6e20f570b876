import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import type { LanguageChoice } from '@jyutsing/contracts/transcript';
import { ACCEPTED_CHOICES, readLanguage } from '@jyutsing/text/language-names';
import { parseFields } from '#http/fields.ts';
import type { LiveSettings } from '#http/live/live-stream.ts';

const ENCODINGS = ['linear16', 'mulaw', 'alaw'] as const;
const flag = z.stringbool({ error: 'must be true or false' }).default(false);
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** The fields of Deepgram that have an effect; others are ignored. */
export const ListenQuery = z.object({
  model: z.string().max(200).optional().describe('A model of this server; an unknown one is ignored.'),
  language: z.string().max(100).default('auto').describe(`${ACCEPTED_CHOICES}, or multi.`),
  encoding: z
    .enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`)
    .describe('How the samples of the sound are written; containers are not read live.'),
  sample_rate: whole(8_000, 96_000).default(16_000).describe('Hz.'),
  channels: whole(1, 8).default(1).describe('Mixed to one.'),
  interim_results: flag.describe('Also send text that may still change.'),
  endpointing: z
    .union([z.stringbool(), whole(10, 10_000)])
    .default(DEFAULT_TURN_DETECTION.silenceMs)
    .describe('Milliseconds of silence that end an utterance.'),
  utterance_end_ms: whole(1_000, 5_000).optional().describe('Send `UtteranceEnd` after each utterance.'),
  vad_events: flag.describe('Send `SpeechStarted`.'),
  keyterm: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Words that are likely to occur.'),
});
export type ListenQuery = z.output<typeof ListenQuery>;

/** Throws `invalid_parameter`. */
export function parseListenQuery(query: unknown): ListenQuery {
  const parsed = parseFields(ListenQuery, query, 'invalid_parameter');
  languageOf(parsed);
  return parsed;
}

export function settingsOf(query: ListenQuery, modelNamed: (name: string) => string | null): LiveSettings {
  const terms = [query.keyterm ?? []].flat().join('、');
  const silenceMs = typeof query.endpointing === 'number' ? query.endpointing : DEFAULT_TURN_DETECTION.silenceMs;
  return {
    format: { encoding: query.encoding, sampleRateHz: query.sample_rate, channels: query.channels },
    language: languageOf(query),
    languages: null,
    context: terms === '' ? null : terms,
    model: query.model === undefined ? null : modelNamed(query.model),
    turnDetection: { ...DEFAULT_TURN_DETECTION, silenceMs },
  };
}

function languageOf({ language }: ListenQuery): LanguageChoice {
  const read = language === 'multi' ? 'auto' : readLanguage(language);
  if (read === null) throw new AppError('invalid_parameter', `The field "language" must be ${ACCEPTED_CHOICES}.`);
  return read;
}
