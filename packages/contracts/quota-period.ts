/** A month of an account's quotas in UTC: from `startMs` until before `endMs`, 28 to 31 days. */
export type QuotaPeriod = {
  /** The first day, `YYYY-MM-DD`; also its name in the database. */
  period: string;
  startMs: number;
  endMs: number;
};

/**
 * The quota period of an account at a time. Quotas renew each month on the day of the month on
 * which the account was created, at midnight UTC; in a shorter month on its last day.
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

/** Months count from 0; values outside a year overflow as in `Date.UTC`. */
function startInMonth(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}
