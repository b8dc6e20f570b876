// `npm run check`: static checks without a running service, in under a minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');
const steps: [name: string, tool: string, ...args: string[]][] = [
  [
    'types',
    'typescript/bin/tsc',
    '--noEmit',
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.tsbuildinfo',
  ],
  [
    'types of the console',
    'typescript/bin/tsc',
    '--noEmit',
    '-p',
    'console',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/console-types.tsbuildinfo',
  ],
  ['lint', 'oxlint/bin/oxlint', '--deny-warnings', '.'],
  ['figures', '../scripts/figures.ts', '--check'],
  ['format', 'oxfmt/bin/oxfmt', '--check', '.'],
];

/**
 * Runs all steps in parallel and prints the output of each when it ends, so that outputs do not
 * mix.
 */
const passed = await Promise.all(
  steps.map(async ([name, tool, ...args]) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root });
    child.stdin.end();
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`${output}${errors}${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    return code === 0;
  }),
);
process.exitCode = passed.every(Boolean) ? 0 : 1;
