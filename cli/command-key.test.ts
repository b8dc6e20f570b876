import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { startService, temporaryFolder } from '#test/service.ts';
import { issueOwnerKey } from './command-key.ts';

test('a command that ends while its key is made deletes it', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await (await startService(dataDir)).stop();
  vi.stubEnv('DATA_DIR', dataDir);
  using database = Object.assign(new Sqlite(join(dataDir, 'jyutsing.db'), { timeout: 5_000 }), {
    [Symbol.dispose]: () => void database.close(),
  });
  const names = database.prepare('select name from api_keys').pluck();
  const ending = new AsyncDisposableStack();
  const issuing = issueOwnerKey(loadConfig(), ending);
  while (names.all().length === 1) await nextTurn();
  await ending.disposeAsync();
  await issuing;
  expect(names.all()).toEqual(['owner']);
});
