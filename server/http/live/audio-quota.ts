import { randomUUID } from 'node:crypto';
import { UncertainCommit, type AppError } from '@jyutsing/contracts/errors';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { quotaRefusal } from '#http/quota.ts';

/** The quota of a stream whose length is not known before. */
type AudioQuota = {
  /**
   * Reserves quota in steps, so that `seconds` in all are covered. Returns the seconds that are:
   * fewer when the quota ends.
   */
  cover(seconds: number): Promise<number>;
  /** Charges the seconds used, rounded up, and gives the rest back. */
  settle(usedSeconds: number): Promise<void>;
};

/** The quota of a stream that is not charged. */
export const UNLIMITED: AudioQuota = { cover: async (seconds) => seconds, settle: async () => {} };

const QUOTA_STEP_SECONDS = 10;
const UNIT = 'stt_seconds';

export function createAudioQuota(
  { store, logger }: Pick<ServerDeps, 'store' | 'logger'>,
  { account, plan }: Caller,
): AudioQuota {
  const limit = plan.quotas[UNIT];
  const requestId = randomUUID();
  let held = 0;
  /** A reservation exists, or may exist although the database did not answer. */
  let mayBeReserved = false;
  let isSettled = false;
  let covering: Promise<unknown> = Promise.resolve();

  const raiseTo = async (amount: number): Promise<boolean> => {
    if (held > 0) return store.quotas.grow(requestId, amount, limit);
    const request = { accountId: account.id, unit: UNIT, amount, limit, requestId, heldBy: 'process' } as const;
    try {
      const isReserved = (await store.quotas.reserve(request)) !== null;
      mayBeReserved ||= isReserved;
      return isReserved;
    } catch (failure) {
      mayBeReserved ||= failure instanceof UncertainCommit;
      throw failure;
    }
  };
  /** Less than a step may be left. */
  const takeRest = async (requestedSeconds: number) => {
    const left = (limit ?? 0) - (await store.quotas.used(account.id))[UNIT];
    const amount = Math.min(requestedSeconds, held + left);
    if (amount > held && (await raiseTo(amount))) held = amount;
  };

  const cover = async (seconds: number): Promise<number> => {
    const requestedSeconds = Math.ceil(seconds / QUOTA_STEP_SECONDS) * QUOTA_STEP_SECONDS;
    if (isSettled || requestedSeconds <= held) return Math.min(seconds, held);
    if (await raiseTo(requestedSeconds)) held = requestedSeconds;
    else await takeRest(requestedSeconds);
    return Math.min(seconds, held);
  };

  return {
    cover(seconds) {
      const covered = cover(seconds);
      covering = covered.catch(() => {});
      return covered;
    },
    async settle(usedSeconds) {
      isSettled = true;
      // A client may leave while quota is reserved: ended too early, the reservation would remain.
      await covering;
      if (!mayBeReserved) return;
      const amount = Math.min(held, Math.ceil(usedSeconds));
      // The process lease ends what remains.
      const ending = held > 0 ? store.quotas.settle(requestId, amount) : store.quotas.releaseUncertain(requestId);
      mayBeReserved = false;
      held = 0;
      await ending.catch((cause: unknown) => logger.error({ cause }, 'failed to settle quota reservation'));
    },
  };
}

export function audioQuotaExceeded({ account }: Caller): AppError {
  return quotaRefusal(account, 'The monthly quota of speech-to-text seconds is used up.');
}
