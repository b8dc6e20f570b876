import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findOldest } from './delete-finished.ts';
import { migrate } from './migrations/migrate.ts';
import { openSqlite } from './sqlite.ts';

test.each([
  ['their retention', { beforeMs: 1 }, 'transcriptions_by_end (finished_at_ms<?)'],
  ['the end of their account', { accountId: 'one' }, 'transcriptions_by_account (account_id=?)'],
])('SQLite finds records past %s by an index, in order', async (_what, which, index) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-finished-'));
  const connection = await openSqlite(dataDir);
  await migrate(connection);
  const plan = await findOldest(connection, which).explain<{ detail: string }>(undefined, sql`query plan`);
  expect(plan.map(({ detail }) => detail)).toEqual([
    `SEARCH transcriptions USING INDEX ${index}`,
    // Those that others wait for stay.
    expect.stringContaining('SUBQUERY'),
    'SEARCH joined USING INDEX transcriptions_by_leader (joined_to=?)',
    expect.stringMatching(/^SEARCH stored_texts USING INDEX .*\(transcription_id=\?\)/),
  ]);
  await connection.close();
  await rm(dataDir, { recursive: true });
});
