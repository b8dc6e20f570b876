import { closeSync, openSync, readSync } from 'node:fs';

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
