import { afterAll, beforeAll, expect, it } from 'vitest';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore(databasesToTest().find(({ name }) => name === 'postgres'));
});
afterAll(() => opened.close());

const LIMITS = `select pg_backend_pid() as pid, current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`;

it('every connection has the limits of the server, those of the migrations too', async () => {
  const { store } = opened;
  // As many at once as the pool has, so that each gets a connection of its own.
  const all = Promise.withResolvers<void>();
  let started = 0;
  const limits = await Promise.all(
    Array.from({ length: 10 }, () =>
      store.transaction(async ({ raw }) => {
        const { rows } = await raw.executeSql(LIMITS);
        started += 1;
        if (started === 10) all.resolve();
        await all.promise;
        return rows[0] as { pid: number; statement: string; idle: string };
      }),
    ),
  );
  expect(new Set(limits.map(({ pid }) => pid)).size).toBe(10);
  for (const { statement, idle } of limits) expect([statement, idle]).toEqual(['10s', '30s']);
});
