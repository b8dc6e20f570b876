import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process as other machines and namespaces can name it: a pid means nothing without its host. */
export type ProcessPlace = { host: string; pid: number };

/**
 * Unit of the start times of processes in /proc: USER_HZ, the same on all machines that Node runs
 * on.
 */
const TICKS_PER_SECOND = 100;
const CLOCKS_DIFFER_MS = 5_000;

/** The name of this process, for processes that read it from a file or a database. */
export function thisProcess(): ProcessPlace {
  return { host: describeHost(), pid: process.pid };
}

/** Whether a process is one of this machine and process namespace. */
export function isHere({ host }: ProcessPlace): boolean {
  return host === describeHost();
}

/**
 * Whether a process has ended. False for a process of another machine or namespace, where the same
 * pid is another process. `seenAgoMs`: the time since the process was last seen; a process that has
 * started later is another one with its pid.
 */
export function isGone(place: ProcessPlace, seenAgoMs = 0): boolean {
  if (!isHere(place)) return false;
  try {
    process.kill(place.pid, 0);
  } catch (error) {
    // EPERM: it runs under another user.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true;
  }
  if (seenAgoMs === 0) return false;
  const ageMs = ageOf(place.pid);
  return ageMs !== null && ageMs < seenAgoMs - CLOCKS_DIFFER_MS;
}

/**
 * Milliseconds since the start of a process; null where the system does not report it as Linux
 * does. The start is compared with that of this process, because /proc/uptime counts from the start
 * of the container in some containers.
 */
function ageOf(pid: number): number | null {
  const ageMs = 1_000 * (process.uptime() + (startOf(process.pid) - startOf(pid)) / TICKS_PER_SECOND);
  return ageMs >= 0 ? ageMs : null;
}

/** Ticks from the boot to the start of a process; NaN if unknown. */
function startOf(pid: number): number {
  // The name of the program, in parentheses, may hold anything; the 20th field after it is the
  // start.
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}

let described: string | null = null;

/**
 * Names the machine, its boot and the process namespace (a container has its own), as far as
 * known.
 */
function describeHost(): string {
  if (described !== null) return described;
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  described = [hostname(), boot, namespace].join(' ');
  return described;
}

function read(get: () => string): string {
  try {
    return get().trim();
  } catch {
    return '';
  }
}
