import type { Store } from '#store/store.ts';
import { DEFAULT_LEASE_TIMING, takeLease, type LeaseTiming } from './worker-lease.ts';

/**
 * Registers this process among the workers as the holder of the quota that its requests reserve, from before the first request until after
 * the last: what a process holds that is registered no longer is given back to its owners. It is a lease beside that of the queue's
 * worker, which ends as soon as a stopping server takes no more jobs, while requests still run; and its id stays the same when it was
 * lost and taken anew, because reservations, unlike jobs, are then still this process's.
 */
export async function takeProcessLease(
  store: Store,
  onError: (error: unknown) => void,
  timing: LeaseTiming = DEFAULT_LEASE_TIMING,
): Promise<{ release(): Promise<void> }> {
  const events = {
    // Requests go on: they pay in either case.
    onLost: () => {},
    async onSwept() {
      await store.quotas.endOverdue();
      await store.quotas.reclaim();
      await store.quotas.releaseOrphaned();
    },
    onError,
  };
  return takeLease(store, timing, events, () => store.processId);
}
