import { LRUCache } from 'lru-cache';
import type { Corpus, LexiconWord } from '@jyutsing/contracts/corpus';
import { lexiconForm } from '@jyutsing/text/lexicon/lexicon-form';

/** Words of a corpus that have a reading, by their first UTF-16 unit. */
type Index = ReadonlyMap<string, readonly LexiconWord[]>;

/** Number of indexed entries that are kept, of about 200 bytes each. */
const KEPT_ENTRIES = 200_000;

type VersionedCorpus = Pick<Corpus, 'id' | 'version'>;
type LoadCorpus = (id: string) => Promise<Corpus | null>;

/**
 * Finds how words of corpora are said. Versions are indexed once and kept, since an index of 20,000
 * entries takes 50 ms.
 */
export function createLexicon() {
  const indexes = new LRUCache<string, Index>({
    maxSize: KEPT_ENTRIES,
    sizeCalculation: (index) => 1 + [...index.values()].reduce((sum, words) => sum + words.length, 0),
  });

  const indexOf = async ({ id, version }: VersionedCorpus, load: LoadCorpus): Promise<Index> => {
    const key = `${id} ${version}`;
    const kept = indexes.get(key);
    if (kept !== undefined) return kept;
    const corpus = await load(id);
    const index = indexed(corpus?.entries ?? []);
    indexes.set(corpus === null ? key : `${id} ${corpus.version}`, index);
    return index;
  };

  /** Returns the words of the corpora that occur in a text, each with its first reading. */
  return async (corpora: readonly VersionedCorpus[], text: string, load: LoadCorpus): Promise<LexiconWord[]> => {
    const form = lexiconForm(text);
    const found = new Map<string, LexiconWord>();
    for (const corpus of corpora) {
      const index = await indexOf(corpus, load);
      for (const first of new Set(form)) {
        for (const word of index.get(first) ?? [])
          if (!found.has(word.text) && form.includes(word.text)) found.set(word.text, word);
      }
    }
    return [...found.values()];
  };
}

/** Entries with a higher weight come first. */
function indexed(entries: Corpus['entries']): Index {
  const words = entries
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ text, jyutping }): LexiconWord[] => {
      const form = lexiconForm(text);
      return jyutping === null || form === '' ? [] : [{ text: form, jyutping: jyutping.split(' ') }];
    });
  return Map.groupBy(words, ({ text }) => String.fromCodePoint(text.codePointAt(0)!));
}
