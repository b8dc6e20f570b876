import type { Corpus, CorpusSummary } from '#contracts/corpus.ts';

/** The shipped corpora and the private ones, as one account sees them: those of other accounts do not exist for it. */
export type CorpusLibrary = {
  /** Public ones first, in their order; then the account's own, oldest first. */
  list(accountId: string): Promise<CorpusSummary[]>;
  find(accountId: string, id: string): Promise<Corpus | null>;
  /** What ids stand for now: null means all public ones. Throws `invalid_parameter` for an id that the account has no corpus of. */
  versions(accountId: string, ids: readonly string[] | null): Promise<Pick<Corpus, 'id' | 'version'>[]>;
  /** As `versions`, with the entries; ids that are gone meanwhile are left out. */
  load(accountId: string, ids: readonly string[] | null): Promise<Corpus[]>;
};
