import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '#testbed/service/service.ts';
import type { Measurement } from './report.ts';
import { compareShortClips } from './short-clips.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');

/** Builds another commit in a temporary folder and compares its service with this one. */
export async function measureAgainst(commit: string): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const root = join(folder.path, 'build');
  await run('git', ['worktree', 'add', '--detach', root, commit], { cwd: ROOT });
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
    return await compareShortClips(root, commit);
  } finally {
    await run('git', ['worktree', 'remove', '--force', root], { cwd: ROOT });
  }
}
