import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedConnection } from '#store/database-types.ts';
import { openPostgres } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createQuotaRepository } from '#store/quotas.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import { initial } from './0001-initial.ts';
import { jobs } from './0002-jobs.ts';
import { accountPeriods } from './0006-account-periods.ts';

const insertAccount = (id: string, createdAt: string) =>
  sql`insert into accounts (id, name, plan, created_at_ms) values (${id}, ${id}, 'free', ${Date.parse(createdAt)})`;
const insertUse = (id: string, period: string, used: number) =>
  sql`insert into quota_usage (account_id, unit, period, used) values (${id}, 'stt_seconds', ${period}, ${used})`;
const insertHeld = (request: string, id: string, period: string, amount: number) =>
  sql`insert into quota_reservations (request_id, id, account_id, unit, period, amount, created_at_ms)
    values (${request}, ${request}, ${id}, 'stt_seconds', ${period}, ${amount}, 1)`;

describe.each(databasesToTest())('the migration to account periods on $name', (database) => {
  let opened: OpenedDatabase;
  let dataDir: string;
  let connection: OpenedConnection;
  let db: Kysely<unknown>;

  beforeAll(async () => {
    opened = await database.open();
    dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-migration-'));
    connection = await (opened.databaseUrl === null ? openSqlite(dataDir) : openPostgres(opened.databaseUrl));
    db = connection.writer as Kysely<unknown>;
    await initial.up(db);
    await jobs.up(db);
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    await connection.close();
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('usage and reservations of this month move to the current period of each account', async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 21, 16));
    for (const statement of [
      insertAccount('early', '2026-02-05T10:00:00Z'),
      insertAccount('late', '2025-10-31T23:00:00Z'),
      insertAccount('idle', '2026-11-01T00:00:00Z'),
      insertUse('early', '2026-10', 900),
      insertUse('early', '2026-11', 50),
      insertUse('late', '2026-10', 33),
      insertUse('late', '2026-11', 70),
      insertHeld('present', 'late', '2026-11', 30),
      insertHeld('from last month', 'late', '2026-10', 3),
    ]) {
      await statement.execute(db);
    }
    // Thousands of accounts need several statements.
    await db.transaction().execute(async (transaction) => {
      for (let index = 0; index < 1_100; index++) {
        await insertAccount(`many-${index}`, '2026-01-15T00:00:00Z').execute(transaction);
        await insertUse(`many-${index}`, '2026-11', index).execute(transaction);
      }
      await accountPeriods.up(transaction);
    });

    const quotas = createQuotaRepository(connection, 'this process');
    const used = async (id: string, atMs = Date.now()) => (await quotas.used(id, atMs)).stt_seconds;
    expect([await used('early'), await used('late'), await used('idle')]).toEqual([50, 70, 0]);
    expect([await used('many-0'), await used('many-499'), await used('many-1099')]).toEqual([0, 499, 1_099]);
    const periods = await sql`select account_id, period, used from quota_usage where account_id in ('early', 'late')
      order by account_id, period`.execute(db);
    expect(periods.rows).toEqual([
      { account_id: 'early', period: '2026-10', used: 900 },
      { account_id: 'early', period: '2026-11-05', used: 50 },
      { account_id: 'late', period: '2026-10', used: 33 },
      { account_id: 'late', period: '2026-10-31', used: 70 },
    ]);
    // Reservations released after the migration return to their periods.
    await quotas.release('present');
    await quotas.release('from last month');
    expect(await used('late')).toBe(40);
    const old = await sql`select used from quota_usage where account_id = 'late' and period = '2026-10'`.execute(db);
    expect(old.rows).toEqual([{ used: 30 }]);
    expect(await used('late', Date.UTC(2026, 10, 30))).toBe(0);
  });
});
