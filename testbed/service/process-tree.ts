import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;

/** CPU seconds (user and system) of a process. Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Resident bytes of a process and its descendants; processes that have just ended count as nothing.
 * Linux only.
 */
export function treeRssBytes(pid: number): number {
  return sumOverTree(pid, 'status', /^VmRSS:\s+(\d+) kB/m);
}

/** Proportional set size of a process and its descendants: shared pages count once. Linux only. */
export function treePssBytes(pid: number): number {
  return sumOverTree(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB/m);
}

function sumOverTree(pid: number, file: string, kibibytes: RegExp): number {
  let total = 0;
  for (const member of [pid, ...descendants(pid)]) {
    try {
      total += Number(kibibytes.exec(readFileSync(`/proc/${member}/${file}`, 'utf8'))?.[1] ?? 0) * 1_024;
    } catch {
      // It ended between listing and reading.
    }
  }
  return total;
}

/** All processes below a process. Linux only. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(statFields(Number(name))[1]));
    } catch {
      // It ended between listing and reading.
    }
  }
  const below = [pid];
  for (const ancestor of below) for (const [child, parent] of parents) if (parent === ancestor) below.push(child);
  return below.slice(1);
}

/**
 * The fields of /proc/<pid>/stat after the command name, which may contain spaces: [0] is the
 * state, [1] the parent.
 */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
