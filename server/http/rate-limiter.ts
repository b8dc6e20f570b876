import type { RateDecision } from '@jyutsing/contracts/rate-limit';

/** Counts requests by key in this process alone. */
export type RateLimiter = {
  take(key: string, perMinute: number): RateDecision;
};

type Bucket = { tokens: number; atMs: number };

/**
 * Token buckets: a key may send `perMinute` requests at once, then as many per minute at an even
 * rate. Keeps at most `maxKeys` buckets; removes full ones first, because a full bucket equals
 * none, then the oldest.
 */
export function createRateLimiter({
  maxKeys = 100_000,
  nowMs = () => performance.now(),
}: { maxKeys?: number; nowMs?: () => number } = {}): RateLimiter {
  const buckets = new Map<string, Bucket>();

  /** Runs when the map is full, so its cost is spread over `maxKeys / 2` new keys. */
  const forget = (atMs: number) => {
    for (const [key, bucket] of buckets) {
      if (atMs - bucket.atMs > 60_000) buckets.delete(key);
    }
    for (const key of buckets.keys()) {
      if (buckets.size <= maxKeys / 2) break;
      buckets.delete(key);
    }
  };

  return {
    take(key, perMinute) {
      const atMs = nowMs();
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= maxKeys) forget(atMs);
        bucket = { tokens: perMinute, atMs };
        buckets.set(key, bucket);
      }
      const perMs = perMinute / 60_000;
      const tokens = Math.min(perMinute, bucket.tokens + (atMs - bucket.atMs) * perMs);
      // Tolerates rounding errors of sums of fractions.
      const allowed = tokens >= 1 - 1e-9;
      bucket.tokens = allowed ? Math.max(0, tokens - 1) : tokens;
      bucket.atMs = atMs;
      return {
        allowed,
        limit: perMinute,
        remaining: Math.floor(bucket.tokens + 1e-9),
        resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1_000),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1_000)),
      };
    },
  };
}
