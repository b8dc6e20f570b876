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
  const sizeOf = (each: (typeof all)[number]) => (each.public ? 0 : each.entries_count);
  let own = all.reduce((sum, each) => sum + (ticks[each.id] === true ? sizeOf(each) : 0), 0);
  const isUsed = (each: (typeof all)[number]) => {
    const ticked = ticks[each.id];
    if (ticked !== undefined) return ticked;
    const fits = own + sizeOf(each) <= MAX_OWN_ENTRIES;
    if (fits) own += sizeOf(each);
    return fits;
  };
  return all.filter(isUsed).map(({ id }) => id);
}
