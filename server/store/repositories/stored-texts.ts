/** How much the transcriptions and corpora of an account store as text. */
export type StoredTextRepository = {
  /**
   * Bytes of results, corrections, options and corpora, and a kilobyte more for each record. A
   * transcription that is not final counts what its text is expected to have.
   */
  bytes(accountId: string): Promise<number>;
  /**
   * Runs `write`, which uses this transaction. Throws `storage_exceeded`, which ends it, when the
   * account then stores more than before and more than `limitBytes` (null: unlimited). Simultaneous
   * calls in PostgreSQL do not see one another, so each may pass where only one fits.
   */
  within<T>(accountId: string, limitBytes: number | null, write: () => Promise<T>): Promise<T>;
};
