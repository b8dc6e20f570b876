/** The state of a request that costs something, found by its Idempotency-Key. */
export type ChargeState =
  /** It is now bound to this request and its reservation. */
  | 'new'
  /** The same request was charged already. */
  | 'paid'
  /** The same request is running. */
  | 'running'
  /** Another request has this key. */
  | 'different'
  /** The same request was charged, and repeated as often as it may be. */
  | 'used-up';

/**
 * Idempotency keys of requests that leave no record, such as those for speech: the same request is
 * charged once. A key older than a day counts as unused, and so does one whose request was not
 * charged in the end.
 */
export type ChargedRequestRepository = {
  /**
   * Call it in the transaction that reserves the quota under `reservationId`: of two simultaneous
   * requests, the second then waits for the first. Counts the repetition of a paid request.
   */
  claim(request: {
    accountId: string;
    key: string;
    requestSha256: string;
    reservationId: string;
  }): Promise<ChargeState>;
  /** Deletes keys that are too old. Returns the number deleted. */
  deleteExpired(): Promise<number>;
};
