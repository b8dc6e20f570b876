import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { Repositories, Store } from './store.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(databasesToTest())('registers of speakers on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());
  afterEach(() => void vi.useRealTimers());

  const register = { semitones: 91.25, deviation: 0.75 };
  const newSpeaker = async (speaker = 'a', language = 'cantonese') => {
    const { id } = await store.accounts.create({ name: 'a school', plan: 'free' });
    return { accountId: id, speaker, language };
  };

  it('are found by account, speaker and language', async () => {
    const key = await newSpeaker();
    const other = await newSpeaker();
    expect(await store.speakerRegisters.find(key)).toBeNull();
    await store.speakerRegisters.save(key, register);
    expect(await store.speakerRegisters.find(key)).toEqual(register);
    for (const unknown of [other, { ...key, speaker: 'b' }, { ...key, language: 'mandarin' }])
      expect(await store.speakerRegisters.find(unknown)).toBeNull();
  });

  it('are replaced, also by many at once', async () => {
    const key = await newSpeaker();
    const saved = Array.from({ length: 20 }, (_, index) => ({ semitones: 80 + index, deviation: 1 }));
    await Promise.all(saved.map((register) => store.speakerRegisters.save(key, register)));
    expect(saved).toContainEqual(await store.speakerRegisters.find(key));
  });

  it('are at most 1,000 of an account: a new one replaces those that were not used for longest', async () => {
    const [key, other] = [await newSpeaker(), await newSpeaker()];
    await store.speakerRegisters.save(other, register);
    vi.setSystemTime(Date.now());
    const save = async (speaker: string, language = 'cantonese', { speakerRegisters }: Repositories = store) => {
      vi.setSystemTime(Date.now() + 1);
      await speakerRegisters.save({ ...key, speaker, language }, register);
    };
    const remembered = async (speakers: readonly string[]) => {
      const found = await Promise.all(speakers.map((speaker) => store.speakerRegisters.find({ ...key, speaker })));
      return speakers.filter((_, at) => found[at] !== null);
    };
    const speakers = Array.from({ length: 1_000 }, (_, at) => `speaker ${at}`);
    await store.transaction(async (transaction) => {
      for (const speaker of speakers) await save(speaker, 'cantonese', transaction);
    });
    expect(await remembered(speakers)).toEqual(speakers);

    await save('speaker 0');
    await save('new', 'mandarin');
    expect(await remembered(speakers)).toEqual(speakers.toSpliced(1, 1));

    // All at once, and in the same millisecond.
    const more = Array.from({ length: 20 }, (_, at) => `more ${at}`);
    vi.setSystemTime(Date.now() + 1);
    await Promise.all(more.map((speaker) => store.speakerRegisters.save({ ...key, speaker }, register)));
    expect(await remembered([...speakers, ...more])).toEqual([
      ...speakers.filter((_, at) => at === 0 || at > 21),
      ...more,
    ]);
    expect(await store.speakerRegisters.find(other)).toEqual(register);
  });

  it('are deleted with their account, and when nobody used them for half a year', async () => {
    const [gone, idle] = [await newSpeaker(), await newSpeaker()];
    await store.speakerRegisters.save(gone, register);
    await store.speakerRegisters.save(idle, register);
    await store.accounts.delete(gone.accountId);
    expect(await store.speakerRegisters.find(gone)).toBeNull();
    await store.speakerRegisters.deleteUnused(Date.now() + 179 * DAY_MS);
    expect(await store.speakerRegisters.find(idle)).toEqual(register);
    await store.speakerRegisters.deleteUnused(Date.now() + 181 * DAY_MS);
    expect(await store.speakerRegisters.find(idle)).toBeNull();
  });
});
