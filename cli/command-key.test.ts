import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { startServiceHere } from '#test/service-here.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { issueOwnerKey } from './command-key.ts';

test.each([
  ['before it is made', 1],
  ['while it is made', 2],
])('a command that ends %s leaves no key and no file', async (_, count) => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await (await startServiceHere(dataDir)).stop();
  vi.stubEnv('DATA_DIR', dataDir);
  using database = Object.assign(new Sqlite(join(dataDir, 'jyutsing.db'), { timeout: 5_000 }), {
    [Symbol.dispose]: () => void database.close(),
  });
  const names = database.prepare('select name from api_keys').pluck();
  const ending = new AsyncDisposableStack();
  const issuing = issueOwnerKey(loadConfig(), ending).catch(() => null);
  const files = async () => (await readdir(dataDir)).filter((name) => name.endsWith('.pid'));
  // The file comes before the key.
  while ((await files()).length === 0 || names.all().length < count) await nextTurn();
  await ending.disposeAsync();
  await issuing;
  expect([names.all(), await files()]).toEqual([['owner'], []]);
});
