import type { ErrorCode } from '@jyutsing/contracts/errors';

/** Failures of a server rather than of what it was asked: nobody's recording can bring these about for the recordings of others. */
const OF_THE_SERVER: readonly ErrorCode[] = ['timed_out', 'engine_unavailable', 'service_unavailable'];
/** After so many of them in a row, and for so long, a corrector is left alone; then one question finds out whether it is back. */
const MOST_FAILURES = 2;
const REST_MS = 5 * 60_000;

/** Which correctors had better not be asked just now, told from all recordings that a process corrects. */
export type CircuitBreaker = {
  isOpen(corrector: string): boolean;
  failed(corrector: string, code: ErrorCode): void;
  answered(corrector: string): void;
};

/** Without it, a server that hangs would cost every recording its share of the time anew. `nowMs` is a clock that never goes back. */
export function createCircuitBreaker(nowMs: () => number = () => performance.now()): CircuitBreaker {
  const failures = new Map<string, { count: number; sinceMs: number }>();
  return {
    isOpen(corrector) {
      const { count, sinceMs } = failures.get(corrector) ?? { count: 0, sinceMs: 0 };
      return count >= MOST_FAILURES && nowMs() - sinceMs < REST_MS;
    },
    failed(corrector, code) {
      if (!OF_THE_SERVER.includes(code)) return;
      failures.set(corrector, { count: (failures.get(corrector)?.count ?? 0) + 1, sinceMs: nowMs() });
    },
    answered: (corrector) => void failures.delete(corrector),
  };
}
