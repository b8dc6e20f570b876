import type { QueueClasses } from './queue-class.ts';
import type { RetryPolicies } from './retry-policy.ts';
import type { LeaseTiming } from './worker-lease.ts';

/** The options of both drivers. */
export type QueueOptions = {
  retry: RetryPolicies;
  lease: LeaseTiming;
  classes: QueueClasses;
  /** The `traceparent` that enqueued jobs keep; null: none. */
  traceparent(): string | null;
  /**
   * Receives errors that the queue survives, such as a failed query or a handler that threw, for
   * the log.
   */
  onError: (error: unknown) => void;
};
