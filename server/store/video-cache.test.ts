import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { Store } from './store.ts';

const inAnHour = () => Date.now() + 3_600_000;

describe.each(databasesToTest())('the video cache on $name', (database) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  it('a value is found unchanged until it expires', async () => {
    const value = JSON.stringify({ title: '粵語 \u{1F3A4} \u0000 \ud800', quote: `'); drop table video_cache;--` });
    expect(await store.videoCache.find('kept')).toBeNull();
    await store.videoCache.save('kept', value, inAnHour());
    await store.videoCache.save('brief', value, Date.now());
    expect(await store.videoCache.find('kept')).toBe(value);
    expect(await store.videoCache.find('brief')).toBeNull();
  });

  it('a second save replaces the value and its expiry', async () => {
    await store.videoCache.save('again', '"first"', inAnHour());
    await store.videoCache.save('again', '"second"', inAnHour() + 0.5);
    expect(await store.videoCache.find('again')).toBe('"second"');
    await store.videoCache.save('again', '"third"', 0);
    expect(await store.videoCache.find('again')).toBeNull();
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.videoCache.save('again', `${index}`, inAnHour())));
    expect(Number(await store.videoCache.find('again'))).toBeLessThan(20);
  });

  it('stores values of several megabytes', async () => {
    const value = JSON.stringify('字幕'.repeat(700_000));
    await store.videoCache.save('large', value, inAnHour());
    expect((await store.videoCache.find('large')) === value).toBe(true);
  });

  it('deletes only expired values, oldest first, in batches', async () => {
    while ((await store.videoCache.deleteExpired()) > 0);
    await store.transaction(async ({ videoCache }) => {
      for (let index = 1; index <= 120; index++) await videoCache.save(`old-${index}`, 'null', index);
      await videoCache.save('fresh', 'true', inAnHour());
    });
    const deleted = [];
    for (let left = 4; left > 0; left -= 1) deleted.push(await store.videoCache.deleteExpired());
    expect(deleted).toEqual([50, 50, 20, 0]);
    expect(await store.videoCache.find('fresh')).toBe('true');
  });
});
