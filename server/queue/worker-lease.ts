import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { isGone, thisProcess } from '@jyutsing/system/process-host';
import type { Store } from '#store/store.ts';

export type LeaseTiming = {
  /** Interval of heartbeats. */
  heartbeatMs: number;
  /**
   * A worker without a heartbeat for this long is considered dead: several heartbeats, so a short
   * overload does not kill it.
   */
  leaseMs: number;
};

export const DEFAULT_LEASE_TIMING: LeaseTiming = { heartbeatMs: 1_500, leaseMs: 5_000 };
/** Others take over after a lease, so more time would gain nothing. */
const RELEASE_WITHIN_MS = 4_000;
const TRY_AGAIN_AFTER_MS = 200;

/**
 * The registration of this process as a worker; while it is renewed, no other process takes
 * its jobs.
 */
export type WorkerLease = {
  /** Changes when the lease was lost and taken again, unless the caller provides the ids. */
  readonly workerId: string;
  /**
   * Ends the lease at once, so others do not wait for it to expire, and calls `onReleased`. Both
   * are tried again for a few seconds while the database does not answer.
   */
  release(onReleased?: () => Promise<unknown>): Promise<void>;
};

type LeaseEvents = {
  /** The lease expired and others took the jobs: running jobs must stop. */
  onLost(): void;
  /** Called after every sweep: what unregistered workers hold can be requeued. */
  onSwept(): Promise<void>;
  onError(error: unknown): void;
};

type LeaseOptions = {
  newId?: () => string;
  /** The class whose recordings this process takes; null: none. */
  queueClass?: string | null;
};

/**
 * Registers this process as a worker, renews the lease with each heartbeat, and removes workers
 * whose lease expired. A worker on the same machine whose process is gone is removed at once, so a
 * restarted server continues within moments.
 */
export async function takeLease(
  store: Store,
  timing: LeaseTiming,
  events: LeaseEvents,
  { newId = randomUUID, queueClass = null }: LeaseOptions = {},
): Promise<WorkerLease> {
  const register = async () => {
    const id = newId();
    await store.workers.register({ id, ...thisProcess() }, queueClass);
    return id;
  };
  let workerId = await register();
  let answeredAtMs = performance.now();
  // After an outage of the database all leases have expired: the first process that is back would
  // declare the others dead, which are back a moment later. So would one that starts then, and
  // cannot know.
  let sparedUntilMs = answeredAtMs + timing.leaseMs;
  /** Call it after each answer of the database: outages are the long times without one. */
  const noticeOutage = () => {
    const nowMs = performance.now();
    // A whole lease would be too long: the last heartbeats of other processes may be an interval
    // older than the outage.
    if (nowMs - answeredAtMs > 2 * timing.heartbeatMs) sparedUntilMs = nowMs + timing.leaseMs;
    answeredAtMs = nowMs;
  };
  /** Since when the last heartbeat of a worker is in the future, because the clock was set back. */
  let aheadSinceMs = new Map<string, number>();
  const sweep = async () => {
    const workers = await store.workers.list();
    noticeOutage();
    const nowMs = performance.now();
    const isSparing = nowMs < sparedUntilMs;
    const ahead = workers.filter(({ heartbeatAgeMs }) => heartbeatAgeMs < 0);
    aheadSinceMs = new Map(ahead.map(({ id }) => [id, aheadSinceMs.get(id) ?? nowMs]));
    for (const worker of workers) {
      // The next heartbeat of one that lives is of the present.
      const isLeftAhead = nowMs - (aheadSinceMs.get(worker.id) ?? nowMs) > timing.leaseMs;
      if (isGone(worker) || (!isSparing && isLeftAhead)) await store.workers.remove(worker.id, 0);
      else if (!isSparing && worker.heartbeatAgeMs > timing.leaseMs)
        await store.workers.remove(worker.id, timing.leaseMs);
    }
    await events.onSwept();
    noticeOutage();
  };
  await sweep();
  let busy: Promise<void> | null = null;
  const heartbeat = async () => {
    if (!(await store.workers.heartbeat(workerId))) {
      events.onLost();
      workerId = await register();
    }
    noticeOutage();
    await sweep();
  };
  const timer = setInterval(() => {
    // Heartbeats do not overlap: one that waits for the database is no sign of life anyway.
    busy ??= heartbeat()
      .catch(events.onError)
      .finally(() => (busy = null));
  }, timing.heartbeatMs);
  return {
    get workerId() {
      return workerId;
    },
    async release(onReleased) {
      clearInterval(timer);
      await busy;
      await whileAway(async () => {
        await store.workers.remove(workerId, 0);
        await onReleased?.();
      });
    },
  };
}

/**
 * Does the work again while the database does not answer: its connections may just have been lost.
 */
async function whileAway(work: () => Promise<void>): Promise<void> {
  const untilMs = performance.now() + RELEASE_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      if (!isAway || performance.now() > untilMs) throw error;
      await sleep(TRY_AGAIN_AFTER_MS);
    }
  }
}
