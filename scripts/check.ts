// `npm run check`: all that needs no service running, in well under a minute.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const steps: [name: string, tool: string, ...args: string[]][] = [
  ['types', 'typescript/bin/tsc', '--noEmit', '-p', '.'],
  ['lint', 'oxlint/bin/oxlint', '--deny-warnings', '.'],
  ['format', 'prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
];

let failed = 0;
for (const [name, tool, ...args] of steps) {
  const startedMs = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) failed += 1;
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - startedMs) / 1_000).toFixed(1)} s)`,
  );
}
process.exit(failed === 0 ? 0 : 1);
