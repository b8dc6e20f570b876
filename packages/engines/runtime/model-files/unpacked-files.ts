import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFile } from '@jyutsing/system/create-file';
import { AppError } from '@jyutsing/contracts/errors';
import { requireSpace } from './disk-space.ts';
import type { ManifestFile } from './manifest.ts';

/** Weights hardly compress: an archive that grows more is made to fill the disk. */
const MOST_GROWTH = 20;
/** Small archives may grow more: token tables and vocabularies compress well. */
const SMALL_BYTES = 64_000_000;

/** The largest package has a few hundred; folders count too. */
const MOST_ENTRIES = 10_000;

/** The most bytes that an archive of this size may have unpacked. */
export const unpackedLimit = (archiveBytes: number): number => Math.max(SMALL_BYTES, MOST_GROWTH * archiveBytes);

/** Unpacked files of an archive, which is untrusted. */
export type UnpackedFiles = {
  /** Counts an entry of the archive, whatever it is. Throws `conflict` for too many. */
  count(): void;
  /**
   * Writes a file of at most `sizeBytes`. Throws `conflict` when a path leads outside the folder or
   * comes twice, and when the files are far larger than their archive; `payload_too_large` when the
   * disk is too full.
   */
  write(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<ManifestFile>;
};

export function createUnpackedFiles(folder: string, archiveBytes: number): UnpackedFiles {
  const limitBytes = unpackedLimit(archiveBytes);
  const paths = new Set<string>();
  let announcedBytes = 0;
  let entries = 0;
  return {
    count() {
      entries += 1;
      if (entries > MOST_ENTRIES) throw refused('it contains too many files and folders');
    },
    async write(name, sizeBytes, content) {
      const path = safePath(name);
      if (paths.has(sameOnDisk(path))) throw refused('it contains a file twice');
      paths.add(sameOnDisk(path));
      announcedBytes += sizeBytes;
      if (announcedBytes > limitBytes) throw farLarger();
      // The space is checked for each file, because the total unpacked size is unknown.
      await requireSpace(folder, sizeBytes);
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      const hash = createHash('sha256');
      let writtenBytes = 0;
      const hashed = async function* (): AsyncIterable<Uint8Array> {
        for await (const chunk of content) {
          hash.update(chunk);
          writtenBytes += chunk.length;
          if (writtenBytes > sizeBytes) throw refused('a file is larger than it says');
          yield chunk;
        }
      };
      // `flush` writes to disk before the package is installed.
      await pipeline(hashed, await createFile(target, { flush: true }));
      return { path, sizeBytes: writtenBytes, sha256: hash.digest('hex') };
    },
  };
}

/** Normalizes a path inside the folder. Throws `conflict` for a path that leads outside. */
export function safePath(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || /[\\:\0]/.test(name) || parts.includes('..')) {
    throw refused('it contains a path outside its folder');
  }
  return parts.join('/');
}

/**
 * One text for all paths that some file system takes for the same: without case, or in another
 * Unicode form.
 */
export const sameOnDisk = (path: string): string => path.normalize('NFKC').toLowerCase().normalize('NFKC');

export const farLarger = (): AppError => refused('its files are far larger than the archive');

export function refused(reason: string): AppError {
  return new AppError('conflict', `the archive was refused: ${reason}`);
}
