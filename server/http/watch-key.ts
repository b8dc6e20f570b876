import { AppError } from '@jyutsing/contracts/errors';

/** A revoked key ends what it opened within two seconds, with this and the time for last words. */
const CONFIRM_EVERY_MS = 1_000;

/** Asks again and again whether a key is valid, once at a time, until the timer is cleared. */
export function watchKey(confirm: () => Promise<void>, onRefused: (reason: AppError) => void): NodeJS.Timeout {
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    await confirm().catch((reason: unknown) => {
      // A database that does not answer says nothing about the key.
      if (reason instanceof AppError && reason.status === 401) onRefused(reason);
    });
    isAsking = false;
  };
  return setInterval(() => void ask(), CONFIRM_EVERY_MS).unref();
}
