import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';

/**
 * Runs a script beside this file; a line of its answer for each line that it gets. Throws
 * `invalid_request` with what the script wrote when it fails.
 */
export function askPython(
  python: string,
  script: string,
  options: readonly string[],
  lines: readonly string[],
): string[] {
  const { status, stdout, stderr } = spawnSync(python, [join(import.meta.dirname, script), ...options], {
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new AppError('invalid_request', `The script ${script} did not run with ${python}: ${stderr}`);
  return stdout.split('\n');
}
