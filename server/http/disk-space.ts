import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { makeIncomingFolder } from '#store/incoming-folder.ts';

/** The space for uploads on the disk of one folder, with all uploads that are in progress. */
export type DiskSpace = {
  /**
   * Call before a file is written. `accountId` null: of a client without a known key. Throws
   * `service_unavailable` when this file, with what others still expect, would use the reserve.
   */
  open(file: { expectedBytes: number; accountId: string | null }): Promise<FileSpace>;
  /** For operators: throws `service_unavailable` when every file would be refused. */
  check(): Promise<void>;
};

/** The space of one file. Dispose of it when nothing more is written. */
export type FileSpace = Disposable & {
  /** Call with the length of the file before each write. Throws `service_unavailable`. */
  grow(toBytes: number): void;
};

/** Measured again when the last measurement is older, or when it would refuse a file. */
const MEASURED_FOR_MS = 500;
/** With less free space even without a reserve, no file can be written. */
const FULL_BELOW_BYTES = 1024 ** 2;
/** Part of the free space that files of clients without a known key may use together. */
const ANONYMOUS_SHARE = 0.25;
/**
 * Part of the free space that announced lengths hold against another account: an account that
 * announces much and sends little must not stop the uploads of others.
 */
const ANNOUNCED_SHARE = 0.5;
const RETRY_AFTER_SECONDS = 60;

type OpenFile = { expectedBytes: number; writtenBytes: number; accountId: string | null };

/**
 * Keeps `reserveBytes` of the disk free for the database and for work that was accepted. Makes the
 * folder again when it was deleted.
 */
export function createDiskSpace(folder: string, reserveBytes: number): DiskSpace {
  const files = new Set<OpenFile>();
  /** By all files since the start; only differences of it count. */
  let writtenBytes = 0;
  let measured = { freeBytes: Number.POSITIVE_INFINITY, writtenBytes, atMs: Number.NEGATIVE_INFINITY };

  let measuring: Promise<void> | null = null;
  const measure = () => (measuring ??= measureOnce().finally(() => (measuring = null)));
  const measureOnce = async () => {
    const before = { writtenBytes, atMs: performance.now() };
    await makeIncomingFolder(folder);
    const { bavail, bsize } = await statfs(folder);
    measured = { ...before, freeBytes: bavail * bsize };
  };
  const isOld = () => performance.now() - measured.atMs > MEASURED_FOR_MS;
  const leftBytes = () => measured.freeBytes - (writtenBytes - measured.writtenBytes) - reserveBytes;
  const sum = (bytesOf: (file: OpenFile) => number) => [...files].reduce((total, file) => total + bytesOf(file), 0);
  const unsentBytes = (isCounted: (file: OpenFile) => boolean) =>
    sum((file) => (isCounted(file) ? Math.max(0, file.expectedBytes - file.writtenBytes) : 0));
  /** Counted only with a key: announcing a length costs a client nothing. */
  const stillExpected = (accountId: string | null) => {
    const accountBytes = accountId === null ? 0 : unsentBytes((file) => file.accountId === accountId);
    const otherBytes = unsentBytes((file) => file.accountId !== null && file.accountId !== accountId);
    return accountBytes + Math.min(otherBytes, ANNOUNCED_SHARE * leftBytes());
  };
  const anonymousBytes = () => sum((file) => (file.accountId === null ? file.writtenBytes : 0));

  return {
    async open({ expectedBytes, accountId }) {
      const isFull = () => leftBytes() < stillExpected(accountId) + expectedBytes;
      // Making the folder and measuring are much of what a small upload costs.
      if (isOld() || isFull() || !existsSync(folder)) await measure();
      if (isFull()) throw diskFull();
      const file = { expectedBytes, accountId, writtenBytes: 0 };
      files.add(file);
      return {
        grow(toBytes) {
          writtenBytes += toBytes - file.writtenBytes;
          file.writtenBytes = toBytes;
          if (isOld()) void measure().catch(() => {});
          if (leftBytes() < 0) throw diskFull();
          if (accountId === null && anonymousBytes() > ANONYMOUS_SHARE * (leftBytes() + anonymousBytes())) {
            throw tooMuchWithoutKey();
          }
        },
        [Symbol.dispose]: () => void files.delete(file),
      };
    },

    async check() {
      await measure();
      if (leftBytes() >= Math.max(0, FULL_BELOW_BYTES - reserveBytes)) return;
      const message = 'The disk of DATA_DIR has less free space than DISK_RESERVE_MIB; free some space on it.';
      throw new AppError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
  };
}

export function diskFull(cause?: unknown): AppError {
  const message = 'The disk of the server is full; try again later.';
  return new AppError('service_unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Whether the operating system refused to write for want of space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export function tooMuchWithoutKey(): AppError {
  const message = 'Too much is being uploaded without a key; send "api_key" before the file.';
  return new AppError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
