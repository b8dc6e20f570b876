import { LRUCache } from 'lru-cache';
import type { Term } from '@jyutsing/contracts/corrector';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';
import type { CorpusBias } from '#features/transcription/stages.ts';

/** Terms of the last corpora; the public ones are in most requests. */
const MAX_CORPUS_TERMS = 200_000;
/** Correctors cache prepared terms by the identity of the list, so lists are reused. */
const MAX_LISTS = 4;

/** Finds the terms of a request; null when its corpora are unknown and must be sent. */
type TermCache = (bias: CorpusBias, context: string | null) => readonly Term[] | null;

export function createTermCache(): TermCache {
  const corpora = new LRUCache<string, { terms: readonly Term[] }>({
    maxSize: MAX_CORPUS_TERMS,
    sizeCalculation: ({ terms }) => terms.length + 1,
  });
  const lists = new LRUCache<string, readonly Term[]>({ max: MAX_LISTS });
  return ({ corporaKey, entries }, context) => {
    const listKey = JSON.stringify([corporaKey, context]);
    const known = lists.get(listKey);
    if (known !== undefined) return known;
    const terms = corpora.get(corporaKey)?.terms ?? (entries === null ? null : termsOf(entries));
    if (terms === null) return null;
    corpora.set(corporaKey, { terms });
    const list = [...terms, ...(context === null ? [] : termsFromContext(context))];
    lists.set(listKey, list);
    return list;
  };
}
