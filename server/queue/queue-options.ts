import type { RetryPolicies } from './retry-policy.ts';
import type { LeaseTiming } from './worker-lease.ts';

/** What both drivers are opened with. */
export type QueueOptions = {
  retry: RetryPolicies;
  lease: LeaseTiming;
  /** Trouble that the queue survives: a database that did not answer, a handler that threw. Goes to the log. */
  onError: (error: unknown) => void;
};
