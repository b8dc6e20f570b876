import { randomUUID } from 'node:crypto';
import { AppError } from '#contracts/errors.ts';
import type { Caller } from '#http/authentication.ts';
import type { HttpServices } from '#http/services.ts';
import type { Listener } from './listener.ts';

/** What one character costs of the monthly quota. */
export const COST_PER_CHARACTER = { streamed: 4, file: 1 } as const;

/** Of every answer that was charged, for the documentation. */
export const CHARGE_HEADER = {
  'X-Characters-Charged': { description: 'Characters taken from the monthly quota.', type: 'integer' },
} as const;

type Charge = { caller: Caller; amount: number; listener: Pick<Listener, 'hasLeft'> };

/**
 * Takes the quota, does the work, and keeps it when the work is done or the client left in the midst of it; gives it back in full when the
 * work failed by our doing. Throws `quota_exceeded` before the work, and what the work throws.
 */
export async function charged<Result>(
  { store, logger }: Pick<HttpServices, 'store' | 'logger'>,
  { caller, amount, listener }: Charge,
  work: () => Promise<Result>,
): Promise<Result> {
  // Not the id of the request: callers choose that, and one that is chosen twice would hold one reservation for two.
  const requestId = randomUUID();
  const limit = caller.plan.quotas.tts_characters;
  const reservation = await store.quotas.reserve({
    accountId: caller.account.id,
    unit: 'tts_characters',
    amount,
    limit,
    requestId,
  });
  if (reservation === null) throw await quotaExceeded({ store }, caller, amount);
  // Whoever was served must not be told of a database that was lost meanwhile; housekeeping ends what is left.
  const end = (how: 'settle' | 'release') =>
    (how === 'settle' ? store.quotas.settle(requestId, amount) : store.quotas.release(requestId)).catch(
      (cause: unknown) => logger.error({ cause }, 'what a request held of the quota could not be ended'),
    );
  try {
    const result = await work();
    await end('settle');
    return result;
  } catch (failure) {
    await end(listener.hasLeft() ? 'settle' : 'release');
    throw failure;
  }
}

async function quotaExceeded(
  { store }: Pick<HttpServices, 'store'>,
  { account, plan }: Caller,
  amount: number,
): Promise<AppError> {
  const used = await store.quotas.used(account.id);
  const left = Math.max(0, (plan.quotas.tts_characters ?? 0) - used.tts_characters);
  return new AppError(
    'quota_exceeded',
    `This request costs ${amount} characters of the monthly quota, of which ${left} are left.`,
  );
}
