import { randomUUID } from 'node:crypto';
import type { QuotaUnit } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { Caller } from './authentication.ts';
import type { HttpServices } from './services.ts';

/** What a request costs, and what becomes of that when its client leaves before the work is done. */
export type Charge = {
  caller: Caller;
  unit: QuotaUnit;
  /** Whole units. */
  amount: number;
  /** Whether the client is gone; asked when the work has thrown. */
  hasLeft(): boolean;
  /** `settle`: who leaves pays all the same, because what was ordered was being made. `release`: only an answer costs. */
  whenLeft: 'settle' | 'release';
};

/** As messages name what a quota counts. */
const UNIT_NAMES: Record<QuotaUnit, string> = {
  stt_seconds: 'seconds',
  tts_characters: 'characters',
  video_summaries: 'video summaries',
};

/**
 * Takes the quota, does the work (the answer's sending is a part of it), and keeps the quota when the work is done; gives it back in full
 * when the work throws, unless the client left and `whenLeft` says otherwise. Throws `quota_exceeded` before the work, and what the work
 * throws.
 */
export async function charged<Result>(
  { store, logger }: Pick<HttpServices, 'store' | 'logger'>,
  { caller, unit, amount, hasLeft, whenLeft }: Charge,
  work: () => Promise<Result>,
): Promise<Result> {
  // Not the id of the request: callers choose that, and one that is chosen twice would hold one reservation for two.
  const requestId = randomUUID();
  const limit = caller.plan.quotas[unit];
  const ask = { accountId: caller.account.id, unit, amount, limit, requestId, heldBy: 'process' } as const;
  const reservation = await store.quotas.reserve(ask);
  if (reservation === null) throw await quotaExceeded({ store }, caller, unit, amount);
  // Whoever was served must not be told of a database that was lost meanwhile. The process's lease ends what is left once it is back.
  const end = (how: 'settle' | 'release') =>
    (how === 'settle' ? store.quotas.settle(requestId, amount) : store.quotas.release(requestId)).catch(
      (cause: unknown) => logger.error({ cause }, 'what a request held of the quota could not be ended'),
    );
  try {
    const result = await work();
    await end('settle');
    return result;
  } catch (failure) {
    await end(hasLeft() ? whenLeft : 'release');
    throw failure;
  }
}

async function quotaExceeded(
  { store }: Pick<HttpServices, 'store'>,
  { account, plan }: Caller,
  unit: QuotaUnit,
  amount: number,
): Promise<AppError> {
  const used = await store.quotas.used(account.id);
  const left = Math.max(0, (plan.quotas[unit] ?? 0) - used[unit]);
  return new AppError(
    'quota_exceeded',
    `This request costs ${amount} ${UNIT_NAMES[unit]} of the monthly quota, of which ${left} are left.`,
  );
}
