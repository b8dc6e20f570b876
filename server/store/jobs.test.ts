import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { openStore } from './open-store.ts';

test('a worker that finds no waiting job does not wait for the lock of the database', async () => {
  await using folder = await temporaryFolder();
  const store = await openStore({ databaseUrl: null, dataDir: folder.path });
  const other = new Sqlite(join(folder.path, 'jyutsing.db'));
  other.exec('begin immediate');
  expect(await store.jobs.take('worker', ['transcribe'])).toBe(null);
  other.exec('rollback');
  await store.jobs.insert({ id: 'job', name: 'transcribe', payload: {}, position: 1 });
  other.exec('begin immediate');
  await expect(store.jobs.take('worker', ['transcribe'])).rejects.toMatchObject({ code: 'service_unavailable' });
  other.close();
  await store.close();
});
