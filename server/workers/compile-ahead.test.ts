import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sandboxWords } from '@jyutsing/system/sandbox';
import { WORKER_FLAGS } from '@jyutsing/system/v8-flags';
import { temporaryFolder } from '#testbed/service/service.ts';
import { compileAhead } from './compile-ahead.ts';
import { confine } from './confinement.ts';

const PRINT_FOLDER = 'process.stdout.write(require("node:module").getCompileCacheDir())';

it('compiles modules once, into the folder that confined workers read but cannot write', async () => {
  await using folder = await temporaryFolder();
  const cache = join(folder.path, 'cache');
  const sealed = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache };
  const environment = { sealed, dialing: sealed };
  const confined = await confine({ environment, dials: false }, { dataDir: folder.path, read: [import.meta.dirname] });
  const folders = ['packages/numeric'];
  await compileAhead(confined, { folders });

  const [program = '', ...words] = [...sandboxWords(confined.sandbox), process.execPath, ...WORKER_FLAGS];
  const confinedRun = await promisify(execFile)(program, [...words, '-e', PRINT_FOLDER], { env: sealed });
  const compiled = await readdir(confinedRun.stdout);
  const modules = (await readdir(join(import.meta.dirname, '../../packages/numeric'))).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  expect(compiled.length).toBeGreaterThan(modules.length);
  expect(await readFile(join(cache, 'confined-workers.sha256'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);

  // A worker that cannot start would fail.
  await compileAhead(confined, { folders, entry: new URL('./nowhere.ts', import.meta.url) });
  expect(await readdir(confinedRun.stdout)).toEqual(compiled);
});
