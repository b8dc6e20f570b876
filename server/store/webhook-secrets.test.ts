import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest, type OpenedDatabase } from '#test/postgres.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

describe.each(databasesToTest())('webhook secrets on $name', (database) => {
  let opened: OpenedDatabase;
  let dataDir: string;
  let store: Store;
  beforeAll(async () => {
    opened = await database.open();
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-secrets-'));
    store = await openStore({ databaseUrl: opened.databaseUrl, dataDir });
  });
  afterAll(async () => {
    await store.close();
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const newAccount = async () => (await store.accounts.create({ name: 'an account', plan: 'free' })).id;

  it('simultaneous first requests get the same secret', async () => {
    const id = await newAccount();
    const asked = Array.from({ length: 20 }, (_, index) => store.webhookSecrets.findOrCreate(id, `whsec_${index}`));
    const secrets = new Set(await Promise.all(asked));
    expect(secrets.size).toBe(1);
    expect(await store.webhookSecrets.findOrCreate(id, 'whsec_late')).toBe([...secrets][0]);
  });

  it('a secret can be replaced, also before there is one', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await store.webhookSecrets.findOrCreate(one, 'whsec_first');
    await store.webhookSecrets.replace(one, 'whsec_second');
    await store.webhookSecrets.replace(other, 'whsec_other');
    expect(await store.webhookSecrets.findOrCreate(one, 'whsec_third')).toBe('whsec_second');
    expect(await store.webhookSecrets.findOrCreate(other, 'whsec_third')).toBe('whsec_other');
  });
});
