const DAY_MS = 86_400_000;
/** A row of days may be as long. */
const KEPT_DAYS = 400;

/** The recordings of a day in the time zone of the browser, and the sum of their scores. */
export type KeptDay = { date: string; times: number; total: number };

/** A day as it is shown; `score` is the mean of its recordings, 0 without any. */
export type PracticeDay = { date: string; times: number; score: number };

/** Counts a recording with this score, and keeps the last days on which something was recorded. */
export function withRecording(kept: readonly KeptDay[], score: number, now: Date): KeptDay[] {
  const date = dateOf(now);
  const before = kept.find((day) => day.date === date) ?? { date, times: 0, total: 0 };
  const today = { date, times: before.times + 1, total: before.total + score };
  return [...kept.filter((day) => day.date !== date), today].slice(-KEPT_DAYS);
}

/** The last days up to `today`, in order. */
export function daysOf(kept: readonly KeptDay[], count: number, today: Date): PracticeDay[] {
  const byDate = new Map(kept.map((day) => [day.date, day]));
  return Array.from({ length: count }, (_, index) => {
    const date = dateBefore(today, count - 1 - index);
    const { times, total } = byDate.get(date) ?? { times: 0, total: 0 };
    return { date, times, score: times === 0 ? 0 : total / times };
  });
}

/** The number of days in a row up to the last one; today may still be without practice. */
export function streakOf(kept: readonly KeptDay[], today: Date): number {
  const dates = new Set(kept.map(({ date }) => date));
  const first = dates.has(dateOf(today)) ? 0 : 1;
  let days = 0;
  while (dates.has(dateBefore(today, first + days))) days += 1;
  return days;
}

/** The date so many days before. */
function dateBefore(today: Date, days: number): string {
  // Noon exists on every day, also on those on which clocks change.
  const noon = new Date(today.getFullYear(), today.getMonth(), today.getDate(), 12).getTime();
  return dateOf(new Date(noon - days * DAY_MS));
}

function dateOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}
