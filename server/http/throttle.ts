import { setTimeout as sleep } from 'node:timers/promises';

/** Shares a rate among everyone who takes from it, in the order of their calls. */
type Throttle = {
  /** Resolves when this many bytes may pass; null: at once. */
  take(bytes: number): Promise<void> | null;
  /** How long the next one waits behind those who came before. */
  backlogMs(): number;
};

/** After an idle time, `burstBytes` pass without delay. */
export function createThrottle({
  bytesPerSecond,
  burstBytes,
  nowMs = () => performance.now(),
}: {
  bytesPerSecond: number;
  burstBytes: number;
  nowMs?: () => number;
}): Throttle {
  const burstMs = (burstBytes / bytesPerSecond) * 1_000;
  /** The time at which all bytes taken so far would have passed at the even rate. */
  let paidUntilMs = 0;
  const backlogMs = () => Math.max(0, paidUntilMs - nowMs() - burstMs);
  return {
    take(bytes) {
      paidUntilMs = Math.max(nowMs(), paidUntilMs) + (bytes / bytesPerSecond) * 1_000;
      const waitMs = backlogMs();
      return waitMs === 0 ? null : sleep(waitMs, undefined, { ref: false });
    },
    backlogMs,
  };
}

const MIB = 1_024 ** 2;

/**
 * Bytes of files whose key may still follow. Reading them as fast as a network delivers would take
 * the processor from everyone else.
 */
export const anonymousBytes = createThrottle({ bytesPerSecond: 16 * MIB, burstBytes: 2 * MIB });

/** Bytes that clients send on after a refusal, and parts of forms that are not read. */
export const refusedBytes = createThrottle({ bytesPerSecond: 16 * MIB, burstBytes: 2 * MIB });

/**
 * Large events of WebSockets that cannot be used, which is found only by reading the whole of them.
 */
export const refusedEvents = createThrottle({ bytesPerSecond: 8 * MIB, burstBytes: 2 * MIB });
