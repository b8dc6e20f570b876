import type { QuotaUnit } from '@jyutsing/contracts/accounts';

/**
 * Part of a monthly quota, taken before the work begins. It ends settled (charged with the amount
 * used) or released (given back in full).
 */
export type QuotaReservation = {
  id: string;
  accountId: string;
  unit: QuotaUnit;
  /** The quota period it was taken from (`quotaPeriod`); it is given back to the same period. */
  period: string;
  amount: number;
};

/** Reserved and used units of the monthly quotas. */
export type QuotaRepository = {
  /**
   * Takes `amount`, or nothing and returns null if that would exceed `limit` (null: unlimited).
   * Atomic: simultaneous calls never take the same unit. A second call with a `requestId` that
   * still has a reservation returns that reservation and takes nothing more. `heldBy: 'record'`
   * binds the reservation to the transcription with that id, so it outlives the process;
   * `'process'` binds it to this process, and it is given back soon after the process dies
   * (`releaseOrphaned`).
   */
  reserve(request: {
    accountId: string;
    unit: QuotaUnit;
    amount: number;
    limit: number | null;
    requestId: string;
    heldBy: 'record' | 'process';
  }): Promise<QuotaReservation | null>;
  /**
   * Raises a reservation to `amount` in all, atomically; a larger one stays. False, without a
   * change, when that would exceed `limit` (null: unlimited) or there is no such reservation.
   */
  grow(requestId: string, amount: number, limit: number | null): Promise<boolean>;
  /**
   * Charges `amount` and gives back (or adds) the difference. Only the first settle or release of a
   * request counts. When the database fails, the call throws and `endOverdue` repeats it later.
   */
  settle(requestId: string, amount: number): Promise<void>;
  /** Gives everything back; otherwise like `settle`. */
  release(requestId: string): Promise<void>;
  /**
   * Releases a reservation of which it is unknown whether it was made; again later, because its
   * commit may still arrive.
   */
  releaseUncertain(requestId: string): Promise<void>;
  /** Units used or reserved in the period that contains `atMs` (default: now). Has every unit. */
  used(accountId: string, atMs?: number): Promise<Record<QuotaUnit, number>>;
  /** Repeats the settles and releases of this process that failed. Throws if they fail again. */
  endOverdue(): Promise<void>;
  /**
   * Gives back the units of processes that are no longer registered as workers. The reservations
   * stay without counting, so a process that was only believed dead can still settle them in full.
   * Returns the number of reservations.
   */
  releaseOrphaned(): Promise<number>;
  /**
   * Takes back the units of this process that others released while they believed it dead, even
   * beyond the limit. Returns the number of reservations.
   */
  reclaim(): Promise<number>;
  /**
   * Releases reservations made before `beforeMs` that were never ended. Skips those of unfinished
   * transcriptions and of processes not found dead. Returns the number released.
   */
  releaseAbandoned(beforeMs: number): Promise<number>;
};
