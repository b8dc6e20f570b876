import { readFileSync } from 'node:fs';
import { cpuSeconds, descendants } from '#testbed/service/process-tree.ts';

/** Linux counts CPU time in ticks of 10 ms. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of the processes in a list that still run. */
export function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + readOr0(() => cpuSeconds(pid)), 0);
}

/** CPU seconds of the database server below this process, connections that were closed included. */
export function postgresCpuSeconds(): number {
  return descendants(process.pid)
    .filter((pid) => readText(`/proc/${pid}/comm`).trim() === 'postgres')
    .reduce((total, pid) => total + ownAndEnded(pid), 0);
}

/** CPU seconds of this process and all below it, those that have ended included. */
export function ourCpuSeconds(): number {
  return [process.pid, ...descendants(process.pid)].reduce((total, pid) => total + ownAndEnded(pid), 0);
}

/** CPU seconds in which a processor of the machine was not idle, also for other machines. */
export function machineCpuSeconds(): number {
  const [user, nice, system, , , irq, softirq, steal] = readText('/proc/stat')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (
    [user, nice, system, irq, softirq, steal].reduce<number>((total, ticks) => total + (ticks ?? 0), 0) /
    TICKS_PER_SECOND
  );
}

/** Reads the seconds of a process and of its children that have ended and were waited for. */
function ownAndEnded(pid: number): number {
  const text = readText(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  return Number.isNaN(ticks) ? 0 : ticks / TICKS_PER_SECOND;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has just ended.
    return '';
  }
}

function readOr0(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
