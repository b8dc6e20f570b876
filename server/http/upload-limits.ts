import type { HttpConfig } from './deps.ts';
import type { DiskSpace } from './disk-space.ts';

/** Limits of uploads; routes that share it are limited together. */
export type UploadLimits = {
  incomingDir: string;
  maxFileBytes: number;
  disk: DiskSpace;
  /** Bytes on this disk from clients that have sent no key yet. */
  anonymous: { heldBytes: number; readonly maxBytes: number };
};

/** `anonymousFiles`: how many files of full size may be uploaded at once before their keys. */
export type LimitUploads = (maxFileBytes: number, anonymousFiles?: number) => UploadLimits;

export function createUploadLimits({ incomingDir }: HttpConfig, disk: DiskSpace): LimitUploads {
  return (maxFileBytes, anonymousFiles = 4) => ({
    incomingDir,
    maxFileBytes,
    disk,
    anonymous: { heldBytes: 0, maxBytes: anonymousFiles * maxFileBytes },
  });
}
