import type { Database, Statement } from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/** More than the program has different statements; a bound, because lists of values make new ones. */
const MAX_STATEMENTS = 256;

type Prepared = Statement<unknown[]>;

/**
 * A database for kysely whose statements are prepared once and kept by their text: preparing one costs ten times as much as
 * running it. SQLite itself prepares a kept statement again when another process has changed the schema.
 */
export class SqliteStatements implements SqliteDatabase {
  readonly #database: Database;
  readonly #kept = new Map<string, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  prepare(sql: string): Prepared {
    const kept = this.#kept.get(sql);
    // One whose rows are still being iterated can run only once at a time.
    if (kept !== undefined && !kept.busy) return kept;
    const statement = this.#database.prepare<unknown[]>(sql);
    if (this.#kept.size >= MAX_STATEMENTS) this.#forgetOldest();
    this.#kept.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#kept.clear();
    this.#database.close();
  }

  #forgetOldest(): void {
    const oldest = this.#kept.keys().next();
    if (!oldest.done) this.#kept.delete(oldest.value);
  }
}
