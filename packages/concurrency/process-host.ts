import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, as others that may run elsewhere know it. */
export type ProcessPlace = { host: string; pid: number };

/** This process, for others that read it from a file or a database. */
export function thisProcess(): ProcessPlace {
  return { host: describeHost(), pid: process.pid };
}

/** Whether a process is one of this machine and process namespace. */
export function isHere({ host }: ProcessPlace): boolean {
  return host === describeHost();
}

/**
 * Whether a process is no more. Only those of this machine and process namespace are looked for;
 * elsewhere the same pid is another process.
 */
export function isGone(place: ProcessPlace): boolean {
  if (!isHere(place)) return false;
  try {
    process.kill(place.pid, 0);
    return false;
  } catch (error) {
    // EPERM: it runs under another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
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
