import { z } from 'zod';

/** Sorted and without duplicates, so that equal choices have equal cache keys; empty for none. */
export function parseCorpusIds(text: string): string[] {
  const all = text.split(',').map((id) => id.trim());
  const ids = [...new Set(all.filter((id) => id !== ''))].sort();
  return ids.length === 1 && ids[0]?.toLowerCase() === 'none' ? [] : ids;
}

const MAX_CHARACTERS = 10_000;

/** The corpora of a speech request; null when it names none, so that the account's count. */
export const spokenCorporaField = z
  .union([z.string(), z.array(z.string())], 'must be ids of corpora, separated by commas')
  .nullish()
  .transform((ids) => (Array.isArray(ids) ? ids.join() : (ids ?? null)))
  .refine((ids) => (ids?.length ?? 0) <= MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
  .transform((ids) => (ids === null ? null : parseCorpusIds(ids)))
  .meta({
    type: 'string',
    description:
      'Comma-separated ids of corpora whose words are said as their jyutping says, or an array; `none` or empty: none; absent: those of the account.',
  });
