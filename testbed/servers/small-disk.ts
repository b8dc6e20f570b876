import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A disk of a few megabytes. */
export type SmallDisk = AsyncDisposable & { path: string; fill(): Promise<void>; free(): Promise<void> };

/** Mounts a disk in memory; null where that is not allowed. */
export async function mountSmallDisk(sizeMib: number): Promise<SmallDisk | null> {
  const path = await mkdtemp(join(tmpdir(), 'jyutsing-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    await rmdir(path);
    return null;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    async fill() {
      const zeros = Readable.from(Array.from({ length: sizeMib * 64 }, () => Buffer.alloc(16 * 1_024)));
      // The copy ends with ENOSPC, as intended.
      await pipeline(zeros, createWriteStream(ballast, { flags: 'a' })).catch(() => {});
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['--lazy', path]);
      await rmdir(path);
    },
  };
}
