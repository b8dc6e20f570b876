import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Account } from '@jyutsing/contracts/accounts';
import { atomically } from './database-types.ts';
import type { Connection, Database, Flag } from './database-types.ts';
import { rememberDeletedOf } from './deleted-transcriptions.ts';
import { newApiKeyRow } from './keys.ts';
import type { AccountRepository } from './repositories/accounts.ts';

/** Implements `AccountRepository`. */
export function createAccountRepository(connection: Connection): AccountRepository {
  const { writer, reader } = connection;
  return {
    async create(account) {
      const row = newAccountRow(account);
      await writer.insertInto('accounts').values(row).execute();
      return toAccount(row);
    },

    async find(id) {
      const row = await reader.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },

    async list() {
      const rows = await reader.selectFrom('accounts').selectAll().orderBy('created_at_ms').orderBy('id').execute();
      return rows.map(toAccount);
    },

    async plansInUse() {
      const rows = await reader.selectFrom('accounts').select('plan').distinct().orderBy('plan').execute();
      return rows.map(({ plan }) => plan);
    },

    async update(id, change) {
      const row = await writer
        .updateTable('accounts')
        .set((eb) => ({
          plan: change.plan ?? eb.ref('plan'),
          blocked: change.blocked === undefined ? eb.ref('blocked') : toFlag(change.blocked),
        }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toAccount(row);
    },

    async delete(id) {
      return atomically(connection, async (transaction) => {
        if (connection.dialect === 'postgres') await lockForDeletion(transaction, id);
        const uploads = await transaction
          .selectFrom('transcriptions')
          .select('blob_key')
          .where('account_id', '=', id)
          .execute();
        const voices = await transaction.selectFrom('voices').select('id').where('account_id', '=', id).execute();
        await rememberDeletedOf(transaction, id);
        await transaction.deleteFrom('job_turns').where('account_id', '=', id).execute();
        // Rows of all other tables but one go with the account.
        const done = await transaction.deleteFrom('accounts').where('id', '=', id).executeTakeFirst();
        if (done.numDeletedRows === 0n) return null;
        // The deletion of its records has changed the total until here.
        await transaction.deleteFrom('stored_text_totals').where('account_id', '=', id).execute();
        return {
          uploadKeys: uploads.flatMap(({ blob_key: key }) => key ?? []),
          voiceIds: voices.map((voice) => voice.id),
        };
      });
    },

    async createFirst(owner) {
      return atomically(connection, async (transaction) => {
        const account = newAccountRow(owner);
        // The primary key makes a second process wait here for the commit of the first and then
        // insert nothing; counting accounts alone would let both pass.
        const marker = await transaction
          .insertInto('first_account')
          .values({ id: 1, account_id: account.id })
          .onConflict((oc) => oc.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (marker === undefined) return null;
        const other = await transaction.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
        if (other !== undefined) return null;
        await transaction.insertInto('accounts').values(account).execute();
        await transaction.insertInto('api_keys').values(newApiKeyRow(account.id, owner.key)).execute();
        return toAccount(account);
      });
    },

    async firstId() {
      const row = await reader.selectFrom('first_account').select('account_id').executeTakeFirst();
      return row?.account_id ?? null;
    },
  };
}

/**
 * Locks in the order of everything else that changes these rows, or each would wait for the other:
 * the account (new rows name it), records (one that leads before those that joined it), quota.
 */
async function lockForDeletion(transaction: Kysely<Database>, id: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
  await transaction
    .selectFrom('transcriptions')
    .select('id')
    .where('account_id', '=', id)
    .orderBy('work_key', (order) => order.asc().nullsLast())
    .orderBy('id')
    .forUpdate()
    .execute();
  await transaction.deleteFrom('quota_reservations').where('account_id', '=', id).execute();
}

/** Reads a row. */
function toAccount(row: Database['accounts']): Account {
  return { id: row.id, name: row.name, plan: row.plan, blocked: row.blocked === 1, createdAtMs: row.created_at_ms };
}

function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

function newAccountRow(account: { name: string; plan: string }): Database['accounts'] {
  return { id: randomUUID(), name: account.name, plan: account.plan, blocked: 0, created_at_ms: Date.now() };
}
