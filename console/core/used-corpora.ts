import type { CorpusSummary } from '@jyutsing/client';

/** Whether a word list is ticked, by its id; absent: it was not touched. */
export type Ticks = Readonly<Record<string, boolean>>;

/** Of all own word lists of a transcription, as the service allows. */
const MAX_OWN_ENTRIES = 100_000;

/** The ids of those that are ticked. Untouched ones are, own ones as far as the service allows. */
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
