import type { Database } from 'better-sqlite3';

/**
 * One read transaction for the reads of a turn of the event loop: to begin and end one costs more
 * than a poll's read itself, because each locks the file. What other processes commit meanwhile is
 * seen in the next turn; what this one commits, at once, because its writes call `end`. They do so
 * before they begin: the log could never begin again while each commit finds an open read.
 */
export class SqliteSnapshot {
  readonly #database: Database;
  readonly #begin;
  readonly #commit;
  readonly #endLater = () => this.end();
  #open = false;

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
  }

  /** Call before a read. */
  use(): void {
    if (this.#open) return;
    this.#begin.run();
    this.#open = true;
    setImmediate(this.#endLater);
  }

  /** The next read sees all that is committed. A failed read may have ended the transaction. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    if (this.#database.open && this.#database.inTransaction) this.#commit.run();
  }
}
