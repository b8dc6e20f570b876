import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { quotaPeriod } from './quota-period.ts';

const DAY_MS = 24 * 3_600_000;
const at = (text: string) => Date.parse(`${text}Z`);
/** A moment between 1971 and 2199, to the millisecond. */
const moment = integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2200, 0, 1) - 1 });

test('a period contains its moment, begins at midnight UTC and has 28 to 31 days', () => {
  assert(
    property(moment, moment, (createdAtMs, nowMs) => {
      const { period, startMs, endMs } = quotaPeriod(createdAtMs, nowMs);
      expect(startMs).toBeLessThanOrEqual(nowMs);
      expect(nowMs).toBeLessThan(endMs);
      expect(startMs % DAY_MS).toBe(0);
      expect([28, 29, 30, 31]).toContain((endMs - startMs) / DAY_MS);
      expect(Date.parse(period)).toBe(startMs);
    }),
  );
});

test('periods lie side by side, without a gap and without a moment in two of them', () => {
  assert(
    property(moment, moment, (createdAtMs, nowMs) => {
      const present = quotaPeriod(createdAtMs, nowMs);
      expect(quotaPeriod(createdAtMs, present.startMs)).toEqual(present);
      expect(quotaPeriod(createdAtMs, present.endMs - 1)).toEqual(present);
      expect(quotaPeriod(createdAtMs, present.startMs - 1).endMs).toBe(present.startMs);
      expect(quotaPeriod(createdAtMs, present.endMs).startMs).toBe(present.endMs);
    }),
  );
});

test('each begins on the day of the creation, or on the last day of a month that is too short for it', () => {
  assert(
    property(moment, moment, (createdAtMs, nowMs) => {
      const day = new Date(createdAtMs).getUTCDate();
      const { startMs } = quotaPeriod(createdAtMs, nowMs);
      const first = new Date(startMs).getUTCDate();
      const isLastOfMonth = new Date(startMs + DAY_MS).getUTCDate() === 1;
      expect(first === day || (first < day && isLastOfMonth)).toBe(true);
    }),
  );
});

test('the first period begins on the day of the creation itself', () => {
  assert(
    property(moment, (createdAtMs) => {
      expect(quotaPeriod(createdAtMs, createdAtMs).startMs).toBe(Math.floor(createdAtMs / DAY_MS) * DAY_MS);
    }),
  );
});

test.each([
  ['2026-11-15T13:30', '2026-11-21T00:00', '2026-11-15', '2026-12-15'],
  ['2026-10-15T13:30', '2026-11-14T23:59:59.999', '2026-10-15', '2026-11-15'],
  ['2026-10-15T13:30', '2026-11-15T00:00', '2026-11-15', '2026-12-15'],
  ['2025-12-31T23:59', '2026-02-28T00:00', '2026-02-28', '2026-03-31'],
  ['2025-12-31T23:59', '2026-02-27T23:59', '2026-01-31', '2026-02-28'],
  ['2025-12-31T23:59', '2028-02-28T23:59', '2028-01-31', '2028-02-29'],
  ['2026-01-30T00:00', '2026-03-01T00:00', '2026-02-28', '2026-03-30'],
  ['2024-02-29T12:00', '2025-02-28T00:00', '2025-02-28', '2025-03-29'],
  ['2026-05-20T00:00', '2027-01-19T23:59', '2026-12-20', '2027-01-20'],
])('an account of %s is on %s in the period from %s until %s', (createdAt, now, start, end) => {
  expect(quotaPeriod(at(createdAt), at(now))).toEqual({
    period: start,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  });
});
