import type { Database, Statement } from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';

/**
 * More than the program has statements; a limit, because value lists of each length make new ones.
 */
const MAX_STATEMENTS = 256;

type Prepared = Statement<unknown[]>;

/**
 * A database for kysely that prepares each statement once: preparing costs ten times as much as
 * running. SQLite prepares a cached statement again when another process changed the schema.
 */
export class SqliteStatements implements SqliteDatabase {
  readonly #database: Database;
  readonly #kept = new Map<string, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  prepare(sql: string): Prepared {
    const kept = this.#kept.get(sql);
    // A statement whose rows are still being iterated cannot run again yet.
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
