import { randomFillSync } from 'node:crypto';
import { appendFileSync, statfsSync, statSync, truncateSync } from 'node:fs';

const SPARE_BYTES = 4 * 1024 ** 2;
/** For one deletion. It overwrites what it deletes, so a large one needs a second attempt. */
const PIECE_BYTES = 512 * 1024;
/** A disk with less free space at the start is too small for a spare. */
const ROOMY_BYTES = 32 * 1024 ** 2;
const FULL_BELOW_BYTES = 1024 ** 2;
/**
 * Statements that must succeed on a full disk: they free space, or close a door. The lock of an
 * account, with which other writes begin, updates its plan alone.
 */
const MUST_SUCCEED =
  /^(?:delete from "(?:accounts|transcriptions|corpora|voices|api_keys)"|update "accounts" set .*"blocked"|update "api_keys")/;

/**
 * A file beside the database that takes space on its disk while there is some, and gives up a piece
 * for each deletion when there is none.
 */
export class SqliteSpare {
  readonly #path: string;
  readonly #databasePath: string;

  constructor(databasePath: string) {
    this.#databasePath = databasePath;
    this.#path = `${databasePath}-spare`;
    if (this.#freeBytes() >= ROOMY_BYTES) this.keep();
  }

  /** Takes the space, or takes it back, as far as others do not need it. */
  keep(): void {
    if (this.#bytes() >= SPARE_BYTES) return;
    // File systems that compress would take no space for zeros.
    const piece = randomFillSync(Buffer.alloc(PIECE_BYTES));
    try {
      while (this.#bytes() < SPARE_BYTES && this.#freeBytes() > PIECE_BYTES + FULL_BELOW_BYTES) {
        appendFileSync(this.#path, piece, { mode: 0o600 });
      }
    } catch {
      // Others were faster.
    }
  }

  /** Gives up a piece before such a statement on a full disk; true when it did. */
  giveFor(sql: string): boolean {
    if (!MUST_SUCCEED.test(sql) || this.#freeBytes() >= FULL_BELOW_BYTES) return false;
    const bytes = this.#bytes();
    if (bytes === 0) return false;
    truncateSync(this.#path, Math.max(0, bytes - PIECE_BYTES));
    return true;
  }

  #bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#databasePath);
    return bavail * bsize;
  }
}
