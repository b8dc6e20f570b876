import { existsSync, statfsSync, statSync } from 'node:fs';
import { ConfigError } from '#config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { outageError, outageOf } from './database-errors.ts';
import { noteOfMove } from './moved-database.ts';

/** Reads look at the files at most this often, because there are thousands of them a second. */
const LOOK_EVERY_MS = 100;
/** Below this, the next writes fail. */
const FULL_BELOW_BYTES = 1024 ** 2;

/**
 * Notices that the files of an open database were deleted or replaced, or that it was moved to
 * PostgreSQL: SQLite would go on writing, and what it stores there is lost.
 */
export class SqliteFiles {
  readonly #path: string;
  /** Device and inode by path. */
  readonly #opened = new Map<string, string>();
  #seenMs = -Infinity;

  /** To be created when the database is open and its log exists. */
  constructor(path: string) {
    this.#path = path;
    for (const name of [path, `${path}-wal`]) this.#opened.set(name, identityOf(name));
  }

  /** Throws `service_unavailable` when a file is not the one that was opened, or was moved. */
  assertPresent(): void {
    this.#seenMs = -Infinity;
    if (existsSync(noteOfMove(this.#path))) throw outageError('moved');
    for (const [name, identity] of this.#opened) if (identityOf(name) !== identity) throw outageError('gone');
    this.#seenMs = performance.now();
  }

  /** Like `assertPresent`, for reads: notices the loss a moment later. */
  assertPresentLately(): void {
    if (performance.now() - this.#seenMs > LOOK_EVERY_MS) this.assertPresent();
  }

  /** Throws `service_unavailable` when the disk has no space for another write. */
  assertSpace(): void {
    if (isFull(this.#path)) throw outageError('full');
  }
}

/**
 * The failure to open a database as an operator can mend it where its disk is full, of which SQLite
 * says only that it could not write; every other one as it is.
 */
export function describeFullDisk(path: string, error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const outage = outageOf(cause);
  const hasNoSpace = outage === 'full' || (outage === 'unwritable' && existsSync(path) && isFull(path));
  if (!hasNoSpace) return error;
  return new ConfigError(
    `The disk of ${path} is full, so the database cannot be opened. Nothing in it was changed or lost: free some space on that disk and try again.`,
    { cause },
  );
}

function isFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < FULL_BELOW_BYTES;
}

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}
