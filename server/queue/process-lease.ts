import type { Store } from '#store/store.ts';
import { DEFAULT_LEASE_TIMING, takeLease, type LeaseTiming } from './worker-lease.ts';

/**
 * Registers this process as the holder of the quota that its requests reserve, from before the
 * first request until after the last. Quota of an unregistered process is given back. This lease
 * is separate from that of the queue worker, which ends as soon as a stopping server takes no more
 * jobs while requests still run. Its id stays the same after the lease was lost, because the
 * reservations, unlike jobs, still belong to this process. `onSwept` is called after every sweep of
 * expired leases, and once before this returns.
 */
export async function takeProcessLease(
  store: Store,
  onError: (error: unknown) => void,
  timing: LeaseTiming = DEFAULT_LEASE_TIMING,
  onSwept: () => Promise<void> = async () => {},
): Promise<{ release(): Promise<void> }> {
  const events = {
    // Requests go on and are charged in either case; others may have removed their counts.
    onLost: () => store.sharedUses?.restore(),
    async onSwept() {
      await store.quotas.endOverdue();
      await store.quotas.reclaim();
      await store.quotas.releaseOrphaned();
      await onSwept();
    },
    onError,
  };
  return takeLease(store, timing, events, { newId: () => store.processId });
}
