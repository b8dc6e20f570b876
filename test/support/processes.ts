import { existsSync } from 'node:fs';
import { expect } from 'vitest';

/** SIGKILL. False: there was none, or it had ended already, between being listed and being killed. */
export function killProcess(pid: number | undefined): boolean {
  try {
    // 0 would be ourselves and everybody whom we started.
    return pid !== undefined && pid > 1 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Resolves once the parents of these processes have heard of their end: Linux keeps them in its table until then. */
export async function waitUntilGone(pids: Iterable<number>): Promise<void> {
  const all = [...pids];
  await expect.poll(() => all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
}
