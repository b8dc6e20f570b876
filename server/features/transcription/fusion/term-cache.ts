import { LRUCache } from 'lru-cache';
import type { CorpusBias, CorpusEntry } from '@jyutsing/contracts/corpus';
import type { Term } from '@jyutsing/contracts/corrector';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';

/** Terms of the last corpora; the public ones are in most requests. */
const MAX_CORPUS_TERMS = 200_000;
/** Correctors cache prepared terms by the identity of the list, so lists are reused. */
const MAX_LISTS = 4;

/** Finds the terms of a request; `loadEntries` gives those of corpora that are not in the cache. */
type TermCache = (
  corporaKey: CorpusBias['corporaKey'],
  loadEntries: () => Promise<readonly CorpusEntry[]>,
  context: string | null,
) => Promise<readonly Term[]>;

export function createTermCache(): TermCache {
  const corpora = new LRUCache<string, { terms: readonly Term[] }>({
    maxSize: MAX_CORPUS_TERMS,
    sizeCalculation: ({ terms }) => terms.length + 1,
  });
  const lists = new LRUCache<string, readonly Term[]>({ max: MAX_LISTS });
  return async (corporaKey, loadEntries, context) => {
    const listKey = JSON.stringify([corporaKey, context]);
    const cachedList = lists.get(listKey);
    if (cachedList !== undefined) return cachedList;
    const terms = corpora.get(corporaKey)?.terms ?? termsOf(await loadEntries());
    corpora.set(corporaKey, { terms });
    const list = [...terms, ...(context === null ? [] : termsFromContext(context))];
    lists.set(listKey, list);
    return list;
  };
}
