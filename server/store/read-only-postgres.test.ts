import { describe, expect, it } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore } from '#test/test-store.ts';

const databases = databasesToTest().filter(({ name }) => name === 'postgres');

describe.each(databases)('$name that takes no changes, such as a standby after a failover', (database) => {
  it('is reported by the check while changes are refused', async () => {
    const { store, close } = await openTestStore(database);
    const expected = { code: 'service_unavailable', message: expect.stringContaining('cannot be read or written') };
    try {
      const change = store.transaction(async ({ raw, accounts }) => {
        await raw.executeSql('set transaction read only');
        await accounts.create({ name: 'new', plan: 'pro' });
      });
      await expect(change).rejects.toMatchObject(expected);
      await expect(store.check()).rejects.toMatchObject(expected);
      const isFine = () =>
        store.check().then(
          () => true,
          () => false,
        );
      await expect.poll(isFine).toBe(true);
    } finally {
      await close();
    }
  });
});
