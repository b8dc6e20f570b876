import { describe, expect, it } from 'vitest';
import { ConfigError } from '#server/config/config.ts';
import { openStore } from '#server/store/open-store.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore } from '#test/test-store.ts';

describe.each(databasesToTest())('a database of a newer version on $name', (database) => {
  it('is refused with a sentence that says so, and how to go on', async () => {
    const { store, close, ...place } = await openTestStore(database);
    try {
      await store.transaction(({ raw }) =>
        raw.executeSql(`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`),
      );
      const opened = openStore(place);
      await expect(opened).rejects.toBeInstanceOf(ConfigError);
      await expect(opened).rejects.toThrow(/newer version.*9999-later.*backup/);
    } finally {
      await close();
    }
  });
});
