import { existsSync } from 'node:fs';
import { expect } from 'vitest';

/**
 * Sends SIGKILL. False if there is no such process, e.g. because it has ended since it was listed.
 */
export function killProcess(pid: number | undefined): boolean {
  try {
    // 0 would kill this process group.
    return pid !== undefined && pid > 1 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/**
 * Resolves once the parents have reaped these processes: Linux keeps them in its table until then.
 */
export async function waitUntilGone(pids: Iterable<number>): Promise<void> {
  const all = [...pids];
  await expect.poll(() => all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
}
