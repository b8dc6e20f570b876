import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';
import type { Store } from './store.ts';

describe.each(databasesToTest())('webhook secrets on $name', (database) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await openTestStore(database);
    ({ store } = opened);
  });
  afterAll(() => opened.close());

  const newAccount = async () => (await store.accounts.create({ name: 'an account', plan: 'free' })).id;

  it('simultaneous first requests get the same secret', async () => {
    const id = await newAccount();
    const storedSecrets = Array.from({ length: 20 }, (_, index) =>
      store.webhookSecrets.findOrCreate(id, `whsec_${index}`),
    );
    const secrets = new Set(await Promise.all(storedSecrets));
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
