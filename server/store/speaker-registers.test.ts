import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest, type OpenedDatabase } from '#test/postgres.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(databasesToTest())('registers of speakers on $name', (database) => {
  let opened: OpenedDatabase;
  let dataDir: string;
  let store: Store;
  beforeAll(async () => {
    opened = await database.open();
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-registers-'));
    store = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
  });
  afterAll(async () => {
    await store.close();
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

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
    await Promise.all(saved.map((each) => store.speakerRegisters.save(key, each)));
    expect(saved).toContainEqual(await store.speakerRegisters.find(key));
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
