/** The state of a rate limit after one request. Seconds are rounded up. */
export type RateDecision = {
  allowed: boolean;
  limit: number;
  /** Requests that are allowed now. */
  remaining: number;
  /** Until the whole limit is available again. */
  resetSeconds: number;
  /** Until one more request is allowed; 0 when it is allowed now. */
  retryAfterSeconds: number;
};

/** Counts requests by key, for all processes that share a database. */
export type SharedRateLimiter = {
  take(key: string, perMinute: number): Promise<RateDecision>;
};
