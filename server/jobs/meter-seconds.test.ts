import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { Store } from '#store/store.ts';
import { newResult } from '#test/transcription-records.ts';
import { createMeter } from './meter-seconds.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

let opened: TestStore;
let store: Store;
let accountId: string;
/** How often the plan was asked for. */
let requestCount: number;

beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
});
beforeEach(async () => {
  ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' }));
  requestCount = 0;
});
afterAll(() => opened.close());

const progress = (seconds: number): TranscriptionEvent => {
  return { type: 'progress', stage: 'recognition', processedMs: seconds * 1_000 };
};
const segment = (seconds: number): TranscriptionEvent => {
  const place = { startMs: 0, endMs: seconds * 1_000 };
  const segment = { ...place, text: '好', words: [], speaker: null, confidence: null };
  return { type: 'segment-end', segment: segment, syllables: null };
};
const result = (seconds: number): TranscriptionEvent => {
  return { type: 'result', result: { ...newResult(), durationMs: seconds * 1_000 } };
};

/**
 * Meters events of a recording that declares a duration, whose seconds are reserved. Returns what
 * was passed on, what was then reserved, and the error that ended it.
 */
async function meter(declaredSeconds: number, limit: number | null, events: readonly TranscriptionEvent[]) {
  const id = crypto.randomUUID();
  const request = { accountId, unit: 'stt_seconds', amount: declaredSeconds, requestId: id, heldBy: 'record' } as const;
  await store.quotas.reserve({ ...request, limit });
  const passed: TranscriptionEvent[] = [];
  let error: unknown = null;
  const services = {
    store,
    monthlySeconds: async (account: string) => {
      expect(account).toBe(accountId);
      requestCount += 1;
      return limit;
    },
  };
  const cover = createMeter({ id, accountId, durationMs: declaredSeconds * 1_000 }, services);
  try {
    for (const event of events) {
      await cover(event);
      passed.push(event);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { passed, error, reserved: (await store.quotas.used(accountId)).stt_seconds };
}

describe('a recording as long as it declares', () => {
  it('needs no more than was reserved', async () => {
    const events = [progress(3), segment(5), progress(10), result(10)];
    expect(await meter(10, 10, events)).toEqual({ passed: events, error: null, reserved: 10 });
    expect(requestCount).toBe(0);
  });

  it('is paid by the second that has begun', async () => {
    const { error, passed } = await meter(10, 10, [progress(9.001), progress(10.001)]);
    expect(passed).toHaveLength(1);
    expect(error).toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('a recording longer than it declares', () => {
  it('gets more a minute at a time', async () => {
    const events = Array.from({ length: 100 }, (_, index) => progress(10 + index));
    const { error, reserved, passed } = await meter(10, null, events);
    expect([error, passed.length]).toEqual([null, 100]);
    // At 11 s: 71; at 72 s: 132.
    expect(reserved).toBe(132);
    expect(requestCount).toBe(2);
  });

  it('gets what it needs where less than a minute is left', async () => {
    const { error, reserved } = await meter(10, 40, [progress(11), progress(40)]);
    expect(error).toBeNull();
    expect(reserved).toBe(40);
  });

  it.each([
    ['progress', progress(41)],
    ['a segment', segment(41)],
    ['the result', result(41)],
  ])('ends where the quota does, before it hands out %s beyond', async (_name, last) => {
    const { error, passed, reserved } = await meter(10, 40, [progress(40), last, progress(42)]);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'quota_exceeded', status: 429 });
    expect((error as AppError).message).toContain('longer than it declares');
    expect(passed).toEqual([progress(40)]);
    expect(reserved).toBe(40);
  });

  it('gaps of the file cost nothing, before and in the result', async () => {
    const gaps: TranscriptionEvent = { type: 'gaps', totalMs: 35_000 };
    const last = { type: 'result', result: { ...newResult(), durationMs: 45_000, soundMs: 10_000 } } as const;
    const events = [progress(10), gaps, progress(45), last];
    expect(await meter(10, 10, events)).toEqual({ passed: events, error: null, reserved: 10 });
    const more = { ...last, result: { ...last.result, soundMs: 10_100 } };
    expect(await meter(10, 10, [gaps, more])).toMatchObject({ error: { code: 'quota_exceeded' }, reserved: 10 });
  });

  it('passes on what takes no time', async () => {
    const events: TranscriptionEvent[] = [
      { type: 'correction-failed', corrector: null, code: 'timed_out', message: 'x' },
      { type: 'result-part', segments: [], fusion: null },
    ];
    expect(await meter(0, 0, events)).toEqual({ passed: events, error: null, reserved: 0 });
  });
});
