import { statfs } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { formatBytes } from './format-bytes.ts';

/**
 * Bytes that stay free: more than the default of DISK_RESERVE_MIB (512), below which the service
 * refuses uploads.
 */
const MARGIN_BYTES = 600 * 1024 ** 2;

/**
 * Unpacked size relative to the archive. Weights hardly compress, but some packages contain them
 * twice, as floats and as integers.
 */
const UNPACKED_SHARE = 1.6;

/**
 * Returns the peak disk use of an installation, with both the download and the unpacked files on
 * disk.
 */
export function neededBytes(downloadBytes: number, archive: ModelPackage['archive']): number {
  const isUnpacked = archive === 'tar.bz2' || archive === 'wheel';
  return Math.ceil(isUnpacked ? downloadBytes * (1 + UNPACKED_SHARE) : downloadBytes);
}

/**
 * Throws `payload_too_large` with the missing space when the file system of `folder` is too full.
 */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const missingBytes = bytes + MARGIN_BYTES - bavail * bsize;
  if (missingBytes <= 0) return;
  throw new AppError(
    'payload_too_large',
    `The disk of MODELS_DIR is too full: this needs ${formatBytes(bytes + MARGIN_BYTES)}, ${formatBytes(missingBytes)} more than is free.`,
  );
}

/** Converts a "disk full" error of the file system; null for other errors. */
export function asDiskFull(thrown: unknown): AppError | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new AppError('payload_too_large', 'The disk of MODELS_DIR is full; free some space and pull again.', {
    cause: thrown,
  });
}
