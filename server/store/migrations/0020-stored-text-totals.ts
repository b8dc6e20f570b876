import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How much each account stores as text, kept beside `stored_texts` by triggers, so that no change
 * is forgotten, deletions of records by their account included. A sum over the records stopped the
 * event loop on SQLite.
 */
export const storedTextTotals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // It served the sums.
    await sql`drop index stored_texts_by_account`.execute(db);
    await (db.getExecutor().adapter instanceof PostgresAdapter ? upPostgres(db) : upSqlite(db));
  },
};

async function upSqlite(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stored_text_totals')
    .addColumn('account_id', 'text', (c) => c.primaryKey())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .execute();
  await sumExisting(db);
  await sql`create trigger stored_texts_inserted after insert on stored_texts begin
      insert into stored_text_totals (account_id, bytes) values (new.account_id, new.bytes)
        on conflict (account_id) do update set bytes = bytes + excluded.bytes;
    end`.execute(db);
  await sql`create trigger stored_texts_updated after update on stored_texts begin
      update stored_text_totals set bytes = bytes + new.bytes - old.bytes where account_id = new.account_id;
    end`.execute(db);
  await sql`create trigger stored_texts_deleted after delete on stored_texts begin
      update stored_text_totals set bytes = bytes - old.bytes where account_id = old.account_id;
    end`.execute(db);
}

/**
 * Several rows for an account, whose sum is its total. A change takes any row that no other
 * transaction holds, or makes one, so that nothing ever waits for a total: with one row, all
 * writers of an account would take turns, and one that waits for the end of joined work would keep
 * that work from ending. There are as many rows as there were transactions at a time. None refers
 * to the account: a new row would wait for its deletion, which may wait for that transaction.
 */
async function upPostgres(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stored_text_totals')
    .addColumn('slot', 'bigint', (c) => c.generatedAlwaysAsIdentity().primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('stored_text_totals_by_account')
    .on('stored_text_totals')
    .columns(['account_id'])
    .execute();
  await sumExisting(db);
  await sql`create function add_stored_text(account text, added bigint) returns void language plpgsql as $$
    declare
      free bigint;
    begin
      select slot into free from stored_text_totals where account_id = account limit 1 for update skip locked;
      if found then
        update stored_text_totals set bytes = bytes + added where slot = free;
      else
        insert into stored_text_totals (account_id, bytes) values (account, added);
      end if;
    end $$`.execute(db);
  await sql`create function count_stored_texts() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' then
        perform add_stored_text(account_id, sum(bytes)::bigint) from new_texts group by account_id;
      end if;
      if tg_op <> 'INSERT' then
        perform add_stored_text(account_id, -sum(bytes)::bigint) from old_texts group by account_id;
      end if;
      return null;
    end $$`.execute(db);
  // Once for a statement: each change of a row in the same transaction makes the next one slower.
  await sql`create trigger stored_texts_inserted after insert on stored_texts
    referencing new table as new_texts for each statement execute function count_stored_texts()`.execute(db);
  await sql`create trigger stored_texts_updated after update on stored_texts
    referencing old table as old_texts new table as new_texts
    for each statement execute function count_stored_texts()`.execute(db);
  await sql`create trigger stored_texts_deleted after delete on stored_texts
    referencing old table as old_texts for each statement execute function count_stored_texts()`.execute(db);
}

async function sumExisting(db: Kysely<unknown>): Promise<void> {
  await sql`insert into stored_text_totals (account_id, bytes)
    select account_id, sum(bytes) from stored_texts group by account_id`.execute(db);
}
