/** The first request made with an idempotency key, and its transcription. */
export type IdempotentRequest = { requestSha256: string; transcriptionId: string };

/**
 * Idempotency keys. A key older than a day, or whose transcription was deleted, counts as unused.
 */
export type IdempotencyKeyRepository = {
  find(accountId: string, key: string): Promise<IdempotentRequest | null>;
  /**
   * Binds the key to this request unless it is bound already, and returns the request it is bound
   * to. Call it in the transaction that inserts the transcription: of two simultaneous requests,
   * the second then waits for the first.
   */
  claim(request: IdempotentRequest & { accountId: string; key: string }): Promise<IdempotentRequest>;
  /** Deletes keys that are too old. Returns the number deleted. */
  deleteExpired(): Promise<number>;
};
