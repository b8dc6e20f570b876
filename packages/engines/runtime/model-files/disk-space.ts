import { statfs } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { formatBytes } from './format-bytes.ts';

/** Left free beside what is needed: a disk filled to the brim would stop the database of the service. */
const MARGIN_BYTES = 200_000_000;

/** Weights hardly compress, but some packages hold them twice, as floats and as integers, which do. */
const UNPACKED_SHARE = 1.6;

/** Bytes that an installation takes at its peak, when the download and what was unpacked from it stand side by side. */
export function neededBytes(downloadBytes: number, archive: 'none' | 'tar.bz2'): number {
  return Math.ceil(archive === 'none' ? downloadBytes : downloadBytes * (1 + UNPACKED_SHARE));
}

/** Throws `payload_too_large`, naming how much is missing, unless the file system of `folder` has room for so many bytes more. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const missing = bytes + MARGIN_BYTES - bavail * bsize;
  if (missing <= 0) return;
  throw new AppError(
    'payload_too_large',
    `The disk of MODELS_DIR is too full: this needs ${formatBytes(bytes + MARGIN_BYTES)}, ${formatBytes(missing)} more than is free.`,
  );
}

/** Whether an error of the file system means that the disk is full, and the sentence for it. */
export function asDiskFull(thrown: unknown): AppError | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new AppError('payload_too_large', 'The disk of MODELS_DIR became full; make room and pull again.', {
    cause: thrown,
  });
}
