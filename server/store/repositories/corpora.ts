import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';

/** A corpus of an account; shipped corpora are not in the database. */
export type PrivateCorpus = Corpus & { accountId: string };

/** The parts of a corpus to change; absent parts stay as they are. */
type CorpusChange = Partial<Pick<Corpus, 'name' | 'description' | 'language' | 'entries'>>;

/** Corpora of accounts. A corpus of another account is treated as missing. */
export type CorpusRepository = {
  /**
   * Creates version 1; null when the account already has `limit` corpora. The count is taken in the
   * same transaction, so simultaneous calls cannot exceed the limit together. Throws
   * `storage_exceeded` as `StoredTextRepository.within` does; so does `update`.
   */
  create(
    corpus: Omit<PrivateCorpus, 'id' | 'version'>,
    limit: number,
    textLimitBytes?: number | null,
  ): Promise<PrivateCorpus | null>;
  find(id: string, accountId: string): Promise<PrivateCorpus | null>;
  /** Oldest first, without the entries. */
  list(accountId: string): Promise<(CorpusSummary & { accountId: string })[]>;
  /**
   * Changes the corpus and increments its version in one statement. Null when there is no such
   * corpus. Throws `conflict` when its version is not `expectedVersion` (null: any).
   */
  update(
    id: string,
    accountId: string,
    change: CorpusChange,
    expectedVersion: number | null,
    textLimitBytes?: number | null,
  ): Promise<PrivateCorpus | null>;
  /** False when there is no such corpus. */
  delete(id: string, accountId: string): Promise<boolean>;
};
