import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** More than the file has. */
const STATUS_BYTES = 8_192;

/**
 * Resident memory of a process as Linux reports it, which works also while it runs native code;
 * null on other systems. The file stays open: it is read after every task.
 */
export function openMemory(pid: number | undefined): (Disposable & { residentBytes(): number | null }) | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  let file: number | null;
  try {
    file = openSync(`/proc/${pid}/status`, 'r');
  } catch {
    // The process has ended; its exit event follows.
    return null;
  }
  const status = Buffer.alloc(STATUS_BYTES);
  return {
    residentBytes() {
      if (file === null) return null;
      try {
        const sizeBytes = readSync(file, status, 0, STATUS_BYTES, 0);
        const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status.toString('latin1', 0, sizeBytes))?.[1];
        return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
      } catch {
        return null;
      }
    },
    [Symbol.dispose]() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** After less time without an event nothing is read. */
const QUIET_MS = 1_000;

/**
 * Returns a function that tells for how many milliseconds a process has waited for a processor that
 * others use since the last event, a time of `performance.now()`: since about a second after it,
 * and of the thread that has waited longest. 0 where the system does not count it.
 */
export function openProcessorWait(pid: number | undefined, proc = '/proc'): (lastEventMs: number) => number {
  const folder = `${proc}/${pid}/task`;
  let before = { eventMs: NaN, waits: new Map<string, number>() };
  return (lastEventMs) => {
    if (performance.now() - lastEventMs < QUIET_MS) return 0;
    const waits = waitsIn(folder);
    if (before.eventMs !== lastEventMs) before = { eventMs: lastEventMs, waits };
    return Math.max(0, ...[...waits].map(([thread, waitMs]) => waitMs - (before.waits.get(thread) ?? 0)));
  };
}

/** Milliseconds that each thread has waited: the second number, in nanoseconds, of sched-stats. */
function waitsIn(folder: string): Map<string, number> {
  const waitOf = (id: string) => Number(readFileSync(`${folder}/${id}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  try {
    return new Map(readdirSync(folder).map((id) => [id, waitOf(id)]));
  } catch {
    // A thread or the process has ended, or the system counts nothing.
    return new Map();
  }
}
