import type { FastifyBaseLogger } from 'fastify';

const ONCE_IN_MS = 60_000;

/**
 * Logs the errors of a part that tries again by itself, such as the queue while its database is
 * away: those with the same code once a minute, with the number of those left out since.
 */
export function createErrorLog(
  logger: Pick<FastifyBaseLogger, 'error'>,
  part: string,
  nowMs: () => number = () => performance.now(),
): (cause: unknown) => void {
  const logged = new Map<string, { atMs: number; leftOut: number }>();
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const before = logged.get(code);
    if (before !== undefined && nowMs() - before.atMs < ONCE_IN_MS) {
      before.leftOut += 1;
      return;
    }
    // Codes are few, messages may be any number.
    if (logged.size > 100) logged.clear();
    logged.set(code, { atMs: nowMs(), leftOut: 0 });
    const leftOut = before === undefined || before.leftOut === 0 ? {} : { leftOut: before.leftOut };
    logger.error({ cause, ...leftOut }, `error in ${part}`);
  };
}
