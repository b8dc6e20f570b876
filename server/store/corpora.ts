import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { fromJson, toJson } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import { lockAccount } from './lock-account.ts';
import { withinStoredText } from './stored-texts.ts';
import type { CorpusRepository } from './repositories/corpora.ts';

type Row = Database['corpora'];

/** Everything but the entries, which may be megabytes. */
const SUMMARY_COLUMNS = [
  'id',
  'account_id',
  'name',
  'description',
  'language',
  'version',
  'entries_count',
] as const satisfies (keyof Row)[];

/** Implements `CorpusRepository`. */
export function createCorpusRepository(connection: Connection): CorpusRepository {
  const { writer, reader } = connection;
  return {
    create: (corpus, limit, textLimitBytes = null) =>
      withinStoredText(connection, corpus.accountId, textLimitBytes, async (transaction) => {
        await lockAccount(transaction, corpus.accountId);
        if ((await count(transaction, corpus.accountId)) >= limit) return null;
        const nowMs = Date.now();
        const row: Row = {
          id: randomUUID(),
          account_id: corpus.accountId,
          name: corpus.name,
          description: corpus.description,
          language: corpus.language,
          version: 1,
          entries: toJson(corpus.entries),
          entries_count: corpus.entries.length,
          created_at_ms: nowMs,
          updated_at_ms: nowMs,
        };
        await transaction.insertInto('corpora').values(row).execute();
        return { ...corpus, id: row.id, version: row.version };
      }),

    async find(id, accountId) {
      const row = await ofAccount(reader, id, accountId).selectAll().executeTakeFirst();
      return row === undefined ? null : toCorpus(row);
    },

    async list(accountId) {
      const rows = await reader
        .selectFrom('corpora')
        .select(SUMMARY_COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(toSummary);
    },

    update: (id, accountId, change, expectedVersion, textLimitBytes = null) =>
      withinStoredText(connection, accountId, textLimitBytes, async (transaction) => {
        const row = await transaction
          .updateTable('corpora')
          .set((eb) => ({ ...toColumns(change), version: eb('version', '+', 1), updated_at_ms: Date.now() }))
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .$if(expectedVersion !== null, (query) => query.where('version', '=', expectedVersion ?? 0))
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) return toCorpus(row);
        const present = await ofAccount(transaction, id, accountId).select('version').executeTakeFirst();
        if (present === undefined) return null;
        throw new AppError('conflict', `The corpus was changed meanwhile; its version is now ${present.version}.`);
      }),

    async delete(id, accountId) {
      const done = await writer
        .deleteFrom('corpora')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },
  };
}

async function count(transaction: Kysely<Database>, accountId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('corpora')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Selects by id and account: a corpus of another account counts as missing. */
function ofAccount(database: Kysely<Database>, id: string, accountId: string) {
  return database.selectFrom('corpora').where('id', '=', id).where('account_id', '=', accountId);
}

/** Leaves absent parts unchanged. */
function toColumns({ entries, ...texts }: Parameters<CorpusRepository['update']>[2]): Partial<Row> {
  return entries === undefined ? texts : { ...texts, entries: toJson(entries), entries_count: entries.length };
}

function toSummary(row: Pick<Row, (typeof SUMMARY_COLUMNS)[number]>): CorpusSummary & { accountId: string } {
  const { id, account_id: accountId, name, description, language, version, entries_count: entriesCount } = row;
  return { id, accountId, name, description, language, version, entriesCount };
}

function toCorpus(row: Row): Corpus & { accountId: string } {
  const { entriesCount: _, ...corpus } = toSummary(row);
  return { ...corpus, entries: fromJson(row.entries) };
}
