import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RegisteredWorker } from '@jyutsing/contracts/job-repositories';
import type { Store } from '#store/store.ts';

export type LeaseTiming = {
  /** How often a worker shows that it lives. */
  heartbeatMs: number;
  /** A worker silent for so long is dead to the others. Several beats, so that a busy moment kills nobody. */
  leaseMs: number;
};

export const DEFAULT_LEASE_TIMING: LeaseTiming = { heartbeatMs: 1_500, leaseMs: 5_000 };

/** This process's place among the workers: while it beats, what it holds is its own. */
export type WorkerLease = {
  /** A new one when the lease was lost and taken anew, unless the caller makes the ids. */
  readonly workerId: string;
  /** Gives the lease up at once, so that others need not wait for its end. */
  release(): Promise<void>;
};

export type LeaseEvents = {
  /** Others took what we hold, because we were silent for too long: running jobs must stop. */
  onLost(): void;
  /** After every look at the others: what workers hold that are no longer registered can be taken back. */
  onSwept(): Promise<void>;
  onError(error: unknown): void;
};

/**
 * Registers this process as a worker and then, with every beat, declares dead whoever is silent.
 * On the same machine a process that no longer exists is dead at once, so that a restarted server goes on within moments.
 */
export async function takeLease(
  store: Store,
  timing: LeaseTiming,
  events: LeaseEvents,
  newId: () => string = randomUUID,
): Promise<WorkerLease> {
  const host = describeHost();
  let workerId = await register(store, host, newId());
  await sweep(store, host, timing, events);
  let busy: Promise<void> | null = null;
  const beat = async () => {
    if (!(await store.workers.heartbeat(workerId))) {
      events.onLost();
      workerId = await register(store, host, newId());
    }
    await sweep(store, host, timing, events);
  };
  const timer = setInterval(() => {
    // Beats never overlap: one that waits for the database for long is no sign of life anyway.
    busy ??= beat()
      .catch(events.onError)
      .finally(() => (busy = null));
  }, timing.heartbeatMs);
  return {
    get workerId() {
      return workerId;
    },
    async release() {
      clearInterval(timer);
      await busy;
      await store.workers.remove(workerId, 0);
    },
  };
}

async function register(store: Store, host: string, id: string): Promise<string> {
  await store.workers.register({ id, host, pid: process.pid });
  return id;
}

async function sweep(store: Store, host: string, timing: LeaseTiming, events: LeaseEvents): Promise<void> {
  for (const worker of await store.workers.list()) {
    if (isGone(worker, host)) await store.workers.remove(worker.id, 0);
    else if (worker.heartbeatAgeMs > timing.leaseMs) await store.workers.remove(worker.id, timing.leaseMs);
  }
  await events.onSwept();
}

/** Only a process of our own machine and namespace can be looked up; elsewhere the same number is another process. */
function isGone(worker: RegisteredWorker, host: string): boolean {
  if (worker.host !== host) return false;
  try {
    process.kill(worker.pid, 0);
    return false;
  } catch (error) {
    // EPERM: it lives and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Names the machine, its start and the process namespace (a container has its own), as far as the system tells. */
function describeHost(): string {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), boot, namespace].join(' ');
}

function read(get: () => string): string {
  try {
    return get().trim();
  } catch {
    return '';
  }
}
