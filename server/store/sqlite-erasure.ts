import type { Database } from 'better-sqlite3';
import type { SqliteSpare } from './sqlite-spare.ts';

/** Tables with content of users, and those whose deletion cascades to them. */
const DELETES_CONTENT =
  /^delete from "(?:accounts|transcriptions|corpora|voices|video_cache|webhook_secrets|api_keys|speaker_registers)"/;
/** Deletions within this time are erased together. */
const AFTER_MS = 500;
const RETRY_AFTER_MS = 250;

/**
 * Erases deleted texts from the write-ahead log. `secure_delete` overwrites them in the database,
 * but the log keeps the pages of earlier writes until it is emptied.
 */
export class SqliteErasure {
  readonly #database: Database;
  readonly #spare: Pick<SqliteSpare, 'giveFor' | 'keep'>;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, spare: Pick<SqliteSpare, 'giveFor' | 'keep'>) {
    this.#database = database;
    this.#spare = spare;
  }

  /** Call before every statement: a deletion needs space. */
  beforeStatement(sql: string): void {
    if (this.#spare.giveFor(sql)) this.#eraseAfter(AFTER_MS);
  }

  /** Call after every statement; erases soon after one that deletes content of users. */
  afterStatement(sql: string): void {
    if (DELETES_CONTENT.test(sql)) this.#eraseAfter(AFTER_MS);
  }

  /** Empties the log now; false while another process or a transaction uses it. */
  erase(): boolean {
    if (!this.#database.open || this.#database.inTransaction) return false;
    try {
      const [result] = this.#database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      return result?.busy === 0;
    } catch {
      // A full disk, for example: tried again.
      return false;
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #eraseAfter(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.#database.open) return;
      if (this.erase()) this.#spare.keep();
      else this.#eraseAfter(RETRY_AFTER_MS);
    }, delayMs).unref();
  }
}
