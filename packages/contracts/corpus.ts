import type { Language } from './transcript.ts';

/**
 * A word or phrase that is likely to be said. `jyutping` is its reading, syllables with one space between (null: it is worked out
 * from the text); `weight` says how strongly it is preferred, above 0 and at most 10, usually 1.
 */
export type CorpusEntry = { text: string; jyutping: string | null; weight: number };

/** Entries that bias the correction of what was heard. A private one belongs to an account and is invisible to all others. */
export type Corpus = {
  id: string;
  /** Null: public, shipped with the project. */
  accountId: string | null;
  name: string;
  description: string;
  language: Language;
  /** Counts the changes from 1: part of the cache key of every text that the corpus could change. */
  version: number;
  entries: CorpusEntry[];
};

/** What a list shows of a corpus. */
export type CorpusSummary = Omit<Corpus, 'entries'> & { entriesCount: number };
