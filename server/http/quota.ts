import { randomUUID } from 'node:crypto';
import type { Account, QuotaUnit } from '@jyutsing/contracts/accounts';
import { AppError, UncertainCommit, type ErrorCode } from '@jyutsing/contracts/errors';
import { quotaPeriod } from '@jyutsing/contracts/quota-period';
import type { Repositories, Store } from '#store/store.ts';
import type { Caller } from './authentication.ts';
import type { ServerDeps } from './deps.ts';
import { differentRequest } from './idempotency-key.ts';

/** The quota that a route uses. */
export type RouteQuota = {
  unit: QuotaUnit;
  /**
   * The rule for a client that disconnects before the work is done: `settle` charges it all the
   * same, because the work was done for it; `release` charges complete answers only.
   */
  whenClientLeaves: 'settle' | 'release';
  /** The error code of a used-up quota; absent: `quota_exceeded`. */
  exceeded?: ErrorCode;
};

export type QuotaCharge = RouteQuota & {
  caller: Caller;
  /** Whole units. */
  amount: number;
  /** Whether the client has disconnected; called when the work has thrown. */
  hasLeft(): boolean;
  /** Under a key the same request is charged once. */
  idempotency?: { key: string; requestSha256: string } | undefined;
};

const UNIT_NAMES: Record<QuotaUnit, string> = {
  stt_seconds: 'seconds',
  tts_characters: 'characters',
  video_summaries: 'video summaries',
};

/**
 * Reserves quota, does the work including the sending of its answer, and settles the reservation.
 * Work that throws releases it in full, unless the client left and `whenClientLeaves` is `settle`.
 * The work gets the amount that it costs: 0 when the same request was charged before. `costOf`: the
 * units that finished work is charged after all; absent: the amount that was reserved. Throws
 * `quota_exceeded` (or `exceeded`), `request_in_progress` and `invalid_parameter` before the work,
 * and the errors of the work.
 */
export async function withQuota<Result>(
  { store, logger }: Pick<ServerDeps, 'store' | 'logger'>,
  charge: QuotaCharge,
  work: (amount: number) => Promise<Result>,
  costOf: (result: Result) => number = () => charge.amount,
): Promise<Result> {
  const { caller, unit, amount, hasLeft, whenClientLeaves, exceeded } = charge;
  // Clients choose the ids of requests, and two requests with one id would share a reservation.
  const requestId = randomUUID();
  // A lost database must not fail a request that was served. The process lease ends what remains.
  const logged = (ending: Promise<void>) =>
    ending.catch((cause: unknown) => logger.error({ cause }, 'failed to settle quota reservation'));
  const settle = (used: number) => logged(store.quotas.settle(requestId, used));
  const taken = await reserve(store, charge, requestId).catch((failure: unknown) => {
    // The release is not awaited, because the database may be frozen.
    if (failure instanceof UncertainCommit) void logged(store.quotas.releaseUncertain(requestId));
    throw failure;
  });
  if (taken === 'paid') return work(0);
  if (taken === 'exceeded') {
    const cause = await quotaExceeded({ store }, caller, unit, amount);
    throw exceeded === undefined ? cause : new AppError(exceeded, undefined, { cause });
  }
  try {
    const result = await work(amount);
    await settle(costOf(result));
    return result;
  } catch (failure) {
    const isSettled = hasLeft() && whenClientLeaves === 'settle';
    await (isSettled ? settle(amount) : logged(store.quotas.release(requestId)));
    throw failure;
  }
}

async function reserve(
  store: Store,
  { caller, unit, amount, idempotency }: QuotaCharge,
  requestId: string,
): Promise<'reserved' | 'exceeded' | 'paid'> {
  const accountId = caller.account.id;
  const take = async ({ quotas }: Repositories) => {
    const limit = caller.plan.quotas[unit];
    const ask = { accountId, unit, amount, limit, requestId, heldBy: 'process' } as const;
    return (await quotas.reserve(ask)) === null ? 'exceeded' : 'reserved';
  };
  if (idempotency === undefined) return take(store);
  // A key whose request has no reservation in the end is free, so a refusal needs no rollback.
  return store.transaction(async (transaction) => {
    const state = await transaction.chargedRequests.claim({ ...idempotency, accountId, reservationId: requestId });
    if (state === 'new') return take(transaction);
    if (state === 'paid') return 'paid';
    if (state === 'running') throw new AppError('request_in_progress');
    if (state === 'different') throw differentRequest();
    throw new AppError(
      'invalid_parameter',
      'This Idempotency-Key was repeated too often; use a new key for a new request.',
    );
  });
}

async function quotaExceeded(
  { store }: Pick<ServerDeps, 'store'>,
  { account, plan }: Caller,
  unit: QuotaUnit,
  amount: number,
): Promise<AppError> {
  const used = await store.quotas.used(account.id);
  const left = Math.max(0, (plan.quotas[unit] ?? 0) - used[unit]);
  return quotaRefusal(
    account,
    `This request costs ${amount} ${UNIT_NAMES[unit]} of the monthly quota, of which ${left} are left.`,
  );
}

/** A refusal for a used-up quota, which can be sent again when the quota is renewed. */
export function quotaRefusal({ createdAtMs }: Account, message: string): AppError {
  const nowMs = Date.now();
  const retryAfterSeconds = Math.ceil((quotaPeriod(createdAtMs, nowMs).endMs - nowMs) / 1_000);
  return new AppError('quota_exceeded', message, { retryAfterSeconds });
}
