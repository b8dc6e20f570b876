import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { spokenCorporaField } from '#http/corpus-ids.ts';
import { parseFields } from '#http/fields.ts';
import { RAW_RATES_HZ, type RawSound } from '#http/synthesis/raw-sound.ts';

const RAW = ['linear16', 'mulaw', 'alaw'] as const;
const FILES = ['mp3', 'opus', 'flac', 'aac'] as const;
const ENCODINGS = [...RAW, ...FILES];
/** Telephone networks have this rate; the others get that of the voices. */
const DEFAULT_RATES = { linear16: 24_000, mulaw: 8_000, alaw: 8_000 } as const;
const RATES_LISTED = `must be one of ${RAW_RATES_HZ.join(', ')}`;

/** Times the voice's own rate. */
export const SPEED_RANGE = { min: 0.25, max: 4 } as const;

const common = {
  model: z
    .string()
    .max(200)
    .optional()
    .describe('The id or name of a voice; the default voice speaks for `aura-…` and `flux-…`.'),
  sample_rate: z.coerce
    .number(RATES_LISTED)
    .refine((rate) => RAW_RATES_HZ.includes(rate), RATES_LISTED)
    .optional()
    .describe('Hz, for samples.'),
  speed: z.coerce.number().min(SPEED_RANGE.min).max(SPEED_RANGE.max).optional(),
  corpus_ids: spokenCorporaField,
};

/** The query of a text that is spoken as a whole; other fields are ignored. */
export const SpeakQuery = z.object({
  ...common,
  encoding: z.enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`).default('mp3'),
  container: z.enum(['none', 'wav', 'ogg'], 'must be none, wav or ogg').optional().describe('For samples: wav.'),
  callback: z.never('is not supported; the response is the sound').optional().describe('Refused.'),
});
export type SpeakQuery = z.output<typeof SpeakQuery>;

/** The query of a conversation. */
export const SpeakStreamQuery = z.object({
  ...common,
  encoding: z.enum(RAW, `must be one of ${RAW.join(', ')}`).default('linear16'),
});
export type SpeakStreamQuery = z.output<typeof SpeakStreamQuery>;

const refuse = (field: string, why: string) => new AppError('invalid_parameter', `The field "${field}" ${why}.`);

/** Throws `invalid_parameter`, also for a container that the encoding cannot have. */
export function parseSpeakQuery(query: unknown): SpeakQuery {
  const parsed = parseFields(SpeakQuery, query, 'invalid_parameter');
  const { encoding, container, sample_rate: rate } = parsed;
  const isRaw = RAW.some((one) => one === encoding);
  if (container === 'ogg' && encoding !== 'opus') throw refuse('container', 'may be ogg only with the encoding opus');
  if (container === 'wav' && !isRaw) throw refuse('container', `may be wav only with ${RAW.join(', ')}`);
  if (rate !== undefined && !isRaw) throw refuse('sample_rate', `has an effect only with ${RAW.join(', ')}`);
  return parsed;
}

/** Throws `invalid_parameter`. */
export const parseSpeakStreamQuery = (query: unknown): SpeakStreamQuery =>
  parseFields(SpeakStreamQuery, query, 'invalid_parameter');

/** The samples that a query asks for; null: a compressed file. */
export function rawSoundFor({ encoding, container = 'wav', sample_rate: rate }: SpeakQuery): RawSound | null {
  const raw = RAW.find((one) => one === encoding);
  if (raw === undefined) return null;
  return { encoding: raw, sampleRateHz: rate ?? DEFAULT_RATES[raw], container: container === 'none' ? 'none' : 'wav' };
}

/** The samples of a conversation, which has no header. */
export function streamedSoundFor({ encoding, sample_rate: rate }: SpeakStreamQuery): RawSound {
  return { encoding, sampleRateHz: rate ?? DEFAULT_RATES[encoding], container: 'none' };
}
