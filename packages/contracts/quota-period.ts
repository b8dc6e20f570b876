/** A month of an account's quotas, UTC: from `startMs` until just before `endMs`, 28 to 31 days. */
export type QuotaPeriod = {
  /** The day it starts on, `YYYY-MM-DD`. Names it, also in the database. */
  period: string;
  startMs: number;
  endMs: number;
};

/**
 * The period of an account that a moment lies in. Quotas begin anew each month on the day of the month on which the account was created,
 * at midnight UTC; in a month that has no such day, on its last one.
 */
export function quotaPeriod(accountCreatedAtMs: number, nowMs: number): QuotaPeriod {
  const day = new Date(accountCreatedAtMs).getUTCDate();
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const hasBegun = startInMonth(year, month, day) <= nowMs;
  const first = hasBegun ? month : month - 1;
  const startMs = startInMonth(year, first, day);
  return { period: new Date(startMs).toISOString().slice(0, 10), startMs, endMs: startInMonth(year, first + 1, day) };
}

/** Months count from 0; one beyond a year's end is of the next year, as `Date.UTC` has it. */
function startInMonth(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}
