import type { Attempt } from './history.ts';

const DAY_MS = 86_400_000;

/** A day in the time zone of the browser; `score` is the mean of its attempts, 0 without any. */
export type PracticeDay = { date: string; times: number; score: number };

/** The last days up to `today`, in order. */
export function daysOf(attempts: readonly Attempt[], count: number, today: Date): PracticeDay[] {
  const byDay = Map.groupBy(attempts, ({ at }) => dateOf(new Date(at)));
  return Array.from({ length: count }, (_, index) => {
    // Noon exists on every day, also on those on which clocks change.
    const noon = new Date(today.getFullYear(), today.getMonth(), today.getDate(), 12).getTime();
    const date = dateOf(new Date(noon - (count - 1 - index) * DAY_MS));
    const all = byDay.get(date) ?? [];
    const sum = all.reduce((total, { score }) => total + score, 0);
    return { date, times: all.length, score: all.length === 0 ? 0 : sum / all.length };
  });
}

/** The number of days in a row up to the last one; today may still be without practice. */
export function streakOf(days: readonly PracticeDay[]): number {
  const until = days.at(-1)?.times === 0 ? days.slice(0, -1) : days;
  const lastIdle = until.findLastIndex(({ times }) => times === 0);
  return until.length - 1 - lastIdle;
}

function dateOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}
