import type { CorpusSummary } from '@jyutsing/client';

/** Tells whether a word list is ticked, by its id; a list that was not touched is absent. */
export type Ticks = Readonly<Record<string, boolean>>;

/** The service allows this many entries in all personal word lists of a transcription together. */
const MAX_OWN_ENTRIES = 100_000;

/**
 * Returns the ids of the word lists that are used: the ticked ones, and untouched ones. Of the
 * untouched ones, personal lists are used only as far as the service allows.
 */
export function usedCorpora(
  all: readonly Pick<CorpusSummary, 'id' | 'public' | 'entries_count'>[],
  ticks: Ticks,
): string[] {
  const sizeOf = (corpus: (typeof all)[number]) => (corpus.public ? 0 : corpus.entries_count);
  let usedEntries = all.reduce((sum, corpus) => sum + (ticks[corpus.id] === true ? sizeOf(corpus) : 0), 0);
  const isUsed = (corpus: (typeof all)[number]) => {
    const ticked = ticks[corpus.id];
    if (ticked !== undefined) return ticked;
    const fits = usedEntries + sizeOf(corpus) <= MAX_OWN_ENTRIES;
    if (fits) usedEntries += sizeOf(corpus);
    return fits;
  };
  return all.filter(isUsed).map(({ id }) => id);
}
