import type { ErrorCode } from '@jyutsing/contracts/errors';

/**
 * Failures of a server, not of one request: no recording can cause them for the recordings of
 * others.
 */
const SERVER_FAILURES: readonly ErrorCode[] = ['timed_out', 'engine_unavailable', 'service_unavailable'];
const MAX_FAILURES = 2;
const OPEN_MS = 5 * 60_000;

/** Tracks the failures of each corrector over all recordings that a process corrects. */
export type CircuitBreaker = {
  /**
   * Whether to skip the corrector for now. After five minutes one request tests whether it has
   * recovered.
   */
  isOpen(corrector: string): boolean;
  recordFailure(corrector: string, code: ErrorCode): void;
  recordSuccess(corrector: string): void;
};

/**
 * Without it, a server that hangs would delay every recording by its timeout. `nowMs` is a
 * monotonic clock.
 */
export function createCircuitBreaker(nowMs: () => number = () => performance.now()): CircuitBreaker {
  const failures = new Map<string, { count: number; sinceMs: number }>();
  return {
    isOpen(corrector) {
      const failed = failures.get(corrector);
      if (failed === undefined || failed.count < MAX_FAILURES) return false;
      if (nowMs() - failed.sinceMs < OPEN_MS) return true;
      // The other requests go on skipping it until this one has an answer.
      failed.sinceMs = nowMs();
      return false;
    },
    recordFailure(corrector, code) {
      if (!SERVER_FAILURES.includes(code)) return;
      failures.set(corrector, { count: (failures.get(corrector)?.count ?? 0) + 1, sinceMs: nowMs() });
    },
    recordSuccess: (corrector) => void failures.delete(corrector),
  };
}
