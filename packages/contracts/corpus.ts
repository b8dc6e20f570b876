import type { Language } from './transcript.ts';

/**
 * A word or phrase that is likely to occur. `jyutping` is its reading, syllables separated by
 * spaces (null: derived from the text); `weight` is the strength of the preference: above 0, at
 * most 10, usually 1.
 */
export type CorpusEntry = { text: string; jyutping: string | null; weight: number };

/**
 * Entries that bias corrections. A private corpus belongs to an account and is invisible to all
 * others.
 */
export type Corpus = {
  id: string;
  /** The account that owns the corpus; null for a public one that ships with the project. */
  accountId: string | null;
  name: string;
  description: string;
  language: Language;
  /** Counts changes from 1; part of the cache key of every text that the corpus could change. */
  version: number;
  entries: CorpusEntry[];
};

/**
 * How a word is said, in syllables of jyutping: one for each Chinese character, or any number for a
 * word without any. `text` is in the form of `lexiconForm`.
 */
export type LexiconWord = { text: string; jyutping: readonly string[] };

/** The corpora that bias the correction of a request; the key names them and their versions. */
export type CorpusBias = { corporaKey: string; entries: readonly CorpusEntry[] };

/** A corpus in a list. */
export type CorpusSummary = Omit<Corpus, 'entries'> & { entriesCount: number };
