import { isDeepStrictEqual } from 'node:util';
import type Sqlite from 'better-sqlite3';
import { AppError } from '@jyutsing/contracts/errors';
import type { Database } from './database-types.ts';
import type { Transaction } from './store.ts';

/** `copied` in this order, because rows refer to those of tables before. */
const TABLES: Readonly<Record<keyof Database, 'copied' | 'remade'>> = {
  accounts: 'copied',
  first_account: 'copied',
  api_keys: 'copied',
  quota_usage: 'copied',
  quota_reservations: 'copied',
  transcriptions: 'copied',
  stored_texts: 'copied',
  transcript_tags: 'copied',
  transcript_translations: 'copied',
  deleted_transcriptions: 'copied',
  corpora: 'copied',
  voices: 'copied',
  video_cache: 'copied',
  webhook_secrets: 'copied',
  idempotency_keys: 'copied',
  charged_requests: 'copied',
  speaker_registers: 'copied',
  // Tells which processes are dead, so that what they held is given back.
  workers: 'copied',
  // Each database has an id of its own.
  database_identity: 'remade',
  // PostgreSQL makes the totals while it stores the rows of stored_texts.
  stored_text_totals: 'remade',
  // The search has another index there, which is made from the transcripts.
  unindexed_transcripts: 'remade',
  transcript_texts: 'remade',
  // PostgreSQL has a queue of its own, in which the jobs are put again.
  jobs: 'remade',
  job_claims: 'remade',
  job_turns: 'remade',
  present_turns: 'remade',
};
export const COPIED_TABLES = Object.entries(TABLES).flatMap(([name, how]) => (how === 'copied' ? [name] : []));
/** Tables that kysely, and the full-text index of SQLite, keep for themselves. */
const OTHER_TABLES = /^(?:kysely_|sqlite_|transcript_index)/;

/** PostgreSQL takes 65,535 values in a statement. */
const VALUES_AT_ONCE = 5_000;
/** A transcript of three hours has megabytes, up to three bytes a character, which pass twice. */
const CHARACTERS_AT_ONCE = 1_000_000;

type Row = Readonly<Record<string, unknown>>;
type Progress = (table: string, copied: number, total: number) => void;

/**
 * Copies all tables of an SQLite database into an empty PostgreSQL database within a transaction,
 * and compares every row with what PostgreSQL has stored. Returns the number of rows by table.
 * Throws when a row differs, or a table is not known.
 */
export async function copyTables(
  source: Sqlite.Database,
  { executeSql }: Transaction['raw'],
  onProgress: Progress,
): Promise<Record<string, number>> {
  refuseUnknownTables(source);
  const copied: Record<string, number> = {};
  for (const table of COPIED_TABLES) {
    const { total } = source.prepare(`select count(*) as total from ${table}`).get() as { total: number };
    let count = 0;
    onProgress(table, 0, total);
    for (const rows of batchesOf(source, table)) {
      const { text, values } = insertion(table, rows);
      const stored = await executeSql(text, values);
      if (!isDeepStrictEqual(stored.rows.map(plain), rows.map(plain))) {
        throw new AppError('internal_error', `PostgreSQL stored rows of the table ${table} differently.`);
      }
      count += rows.length;
      onProgress(table, count, total);
    }
    copied[table] = count;
  }
  return copied;
}

function refuseUnknownTables(source: Sqlite.Database): void {
  const tables = source.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[];
  const unknown = tables.filter(({ name }) => !(name in TABLES) && !OTHER_TABLES.test(name));
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name).join(', ');
  throw new AppError('internal_error', `The database has tables that this version does not know: ${names}.`);
}

function* batchesOf(source: Sqlite.Database, table: string): Generator<Row[]> {
  let rows: Row[] = [];
  let characters = 0;
  for (const row of source.prepare(`select * from ${table} order by rowid`).iterate() as Iterable<Row>) {
    rows.push(row);
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 8;
    if (rows.length * Object.keys(row).length < VALUES_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

function insertion(table: string, rows: readonly Row[]): { text: string; values: unknown[] } {
  const columns = Object.keys(rows[0] ?? {});
  const placeholders = rows.map(
    (_, row) => `(${columns.map((_column, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
  );
  const names = columns.map((name) => `"${name}"`).join(', ');
  return {
    text: `insert into ${table} (${names}) values ${placeholders.join(', ')} returning ${names}`,
    values: rows.flatMap((row) => columns.map((name) => row[name])),
  };
}

const plain = (row: unknown): Row => ({ ...(row as Row) });
