import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TranscriptionProgress } from '@jyutsing/contracts/transcription';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { newRecord } from '#test/transcription-records.ts';
import { createProgressSaver } from './save-progress.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

const logger = createLogger('silent');
let opened: TestStore;
let store: Store;
let id: string;
let accountId: string;
let gone: number;

beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
});
beforeEach(async () => {
  ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'free' }));
  const record = newRecord(accountId, { status: 'processing' });
  await store.transcriptions.insert(record);
  ({ id } = record);
  gone = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => opened.close());

/** A saver, and the progress of every save in order. */
function open() {
  const saves: TranscriptionProgress[] = [];
  const { transcriptions } = store;
  const noting = {
    progress(recordId: string, progress: TranscriptionProgress) {
      saves.push(progress);
      return transcriptions.progress(recordId, progress);
    },
  };
  const services = { store: { transcriptions: { ...transcriptions, ...noting } }, logger };
  return { saves, saver: createProgressSaver(id, services, () => (gone += 1)) };
}
const at = (processedMs: number, stage: TranscriptionProgress['stage'] = 'recognition') => ({ stage, processedMs });

describe('progress', () => {
  it('is saved once a second, in the stage that it has then', async () => {
    const { saver, saves } = open();
    for (let step = 0; step <= 25; step += 1) {
      saver.report(at(step * 1_000));
      vi.advanceTimersByTime(100);
    }
    expect(saves).toEqual([at(9_000), at(19_000)]);
    saver.report(at(25_500, 'fusion'));
    vi.advanceTimersByTime(1_000);
    await saver.end();
    expect(await store.transcriptions.find(id)).toMatchObject({ stage: 'fusion', processedMs: 25_500 });
    expect(saves).toHaveLength(3);
    expect(gone).toBe(0);
  });

  it('of work that ends within a second is not saved', async () => {
    const { saver, saves } = open();
    saver.report(at(0));
    vi.advanceTimersByTime(900);
    saver.report(at(0, 'fusion'));
    await saver.end();
    vi.advanceTimersByTime(5_000);
    expect(saves).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of a record that is final or deleted ends the work', async () => {
    const { saver } = open();
    await store.transcriptions.delete(id, accountId);
    saver.report(at(0));
    vi.advanceTimersByTime(1_000);
    await saver.end();
    expect(gone).toBe(1);
  });

  it('that cannot be saved does not end the work', async () => {
    const transcriptions = {
      ...store.transcriptions,
      progress: () => Promise.reject(new Error('the database is away')),
    };
    const saver = createProgressSaver(id, { store: { transcriptions }, logger }, () => (gone += 1));
    saver.report(at(0));
    vi.advanceTimersByTime(1_000);
    await expect(saver.end()).resolves.toBeUndefined();
    expect(gone).toBe(0);
  });
});

describe('a recording that waits for a worker', () => {
  it('is saved every 15 seconds until its first progress', async () => {
    const { saver, saves } = open();
    // As while its recording is downloaded.
    vi.advanceTimersByTime(15_000);
    expect(saves).toEqual([at(0, 'queued')]);
    vi.advanceTimersByTime(29_999);
    expect(saves).toEqual([at(0, 'queued'), at(0, 'queued')]);
    saver.report(at(0));
    vi.advanceTimersByTime(60_000);
    expect(saves).toEqual([at(0, 'queued'), at(0, 'queued'), at(0)]);
    await saver.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is no longer saved when its download has failed', async () => {
    const { saver, saves } = open();
    await saver.end();
    vi.advanceTimersByTime(60_000);
    expect(saves).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('the time of the work begins with its first progress, not while it waits', () => {
  const { saver } = open();
  vi.advanceTimersByTime(30_000);
  saver.report(at(0));
  vi.advanceTimersByTime(2_000);
  saver.report(at(1_000));
  expect(saver.workedSeconds()).toBeCloseTo(2, 6);
});
