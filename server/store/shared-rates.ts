import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedRateLimiter } from '@jyutsing/contracts/rate-limit';
import type { Connection } from './database-types.ts';

const TABLE = 'request_rates';
const WINDOW_SECONDS = 60;

/**
 * Counts requests in PostgreSQL: a key may send `perMinute` requests within a minute that begins
 * with its first one, whichever process they reach. While the database does not answer, each
 * process counts for itself.
 */
export function createSharedRates({ writer }: Pick<Connection, 'writer'>): SharedRateLimiter {
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      writer.executeQuery(CompiledQuery.raw(text, values)),
  };
  /** By the limits of the plans, which are few. */
  const limiters = new Map<number, RateLimiterPostgres>();
  const limiterOf = (points: number) => {
    const existingLimiter = limiters.get(points);
    if (existingLimiter !== undefined) return existingLimiter;
    const common = { keyPrefix: '', points, duration: WINDOW_SECONDS };
    const limiter = new RateLimiterPostgres({
      ...common,
      storeClient,
      storeType: 'pool',
      tableName: TABLE,
      tableCreated: true,
      // Requests over the limit are refused without a statement.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory(common),
    });
    limiters.set(points, limiter);
    return limiter;
  };
  return {
    async take(key, perMinute) {
      const [allowed, state] = await limiterOf(perMinute)
        .consume(key)
        .then(
          (taken) => [true, taken] as const,
          (refused: unknown) => {
            if (refused instanceof RateLimiterRes) return [false, refused] as const;
            throw refused;
          },
        );
      const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
      const remaining = allowed ? state.remainingPoints : 0;
      return { allowed, limit: perMinute, remaining, resetSeconds, retryAfterSeconds: allowed ? 0 : resetSeconds };
    },
  };
}
