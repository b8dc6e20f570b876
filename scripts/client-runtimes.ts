// `npm run runtimes -w packages/client`: runs the tests of the packed client in Deno and Bun too,
// which are installed into a temporary folder; together they are larger than all else here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

const VERSIONS = ['deno@2.9.6', 'bun@1.4.5'];

const folder = mkdtempSync(join(tmpdir(), 'jyutsing-runtimes-'));
try {
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', ...VERSIONS];
  const installed = spawnSync('npm', install, { stdio: 'inherit' });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
  // The script of the package fetches Bun itself, and npm may be told to run no scripts of
  // packages.
  const bun = join(folder, 'node_modules/bun');
  spawnSync(process.execPath, ['install.js'], { cwd: bun, stdio: 'inherit' });
  const bin = join(folder, 'node_modules/.bin');
  const runtimes = [
    [join(bin, 'deno'), 'run', '--allow-all'],
    [join(bin, 'bun'), 'run'],
  ];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'packages/client/package.test.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CLIENT_RUNTIMES: JSON.stringify(runtimes) },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
