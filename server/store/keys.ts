import { randomUUID } from 'node:crypto';
import type { ApiKey } from '@jyutsing/contracts/accounts';
import { compileRead } from './compiled-read.ts';
import { fromJson, toJson } from './database-types.ts';
import type { Connection, Database } from './database-types.ts';
import type { ApiKeyRepository, NewApiKey } from './repositories/keys.ts';

/** Implements `ApiKeyRepository`. */
export function createApiKeyRepository(connection: Connection): ApiKeyRepository {
  const { writer, reader } = connection;
  const compileReadBy = (column: 'id' | 'sha256') =>
    compileRead(connection, (value) =>
      reader
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .selectAll('api_keys')
        .select([
          'accounts.name as account_name',
          'accounts.plan as account_plan',
          'accounts.blocked as account_blocked',
          'accounts.created_at_ms as account_created_at_ms',
        ])
        // The cast is for SQLite: in joins its planner inspects the value of a bare parameter and
        // prepares the cached statement again for each new value, which costs six times the read.
        .where((eb) => eb(`api_keys.${column}`, '=', eb.cast<string>(eb.val(value), 'text')))
        .where('api_keys.revoked', '=', (eb) => eb.lit(0)),
    );
  const readByHash = compileReadBy('sha256');
  const readById = compileReadBy('id');
  type Row = NonNullable<Awaited<ReturnType<typeof readById>>>;
  const withAccount = (row: Row) => ({
    key: toApiKey(row),
    account: {
      id: row.account_id,
      name: row.account_name,
      plan: row.account_plan,
      blocked: row.account_blocked === 1,
      createdAtMs: row.account_created_at_ms,
    },
  });
  return {
    async create(accountId, key) {
      const row = newApiKeyRow(accountId, key);
      await writer.insertInto('api_keys').values(row).execute();
      return toApiKey(row);
    },

    async findByHash(sha256) {
      const row = await readByHash(sha256);
      return row === undefined ? null : withAccount(row);
    },

    async find(id) {
      const row = await readById(id);
      return row === undefined ? null : { ...withAccount(row), sha256: row.sha256 };
    },

    async list(accountId) {
      const rows = await reader
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(toApiKey);
    },

    async revoke(id) {
      const done = await writer.updateTable('api_keys').set({ revoked: 1 }).where('id', '=', id).executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    async countAdministrators(exceptAccountId) {
      if (connection.dialect === 'postgres')
        await writer.selectFrom('first_account').select('id').forUpdate().execute();
      const { count } = await writer
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select((eb) => eb.fn.countAll<number | string>().as('count'))
        .where('accounts.blocked', '=', 0)
        .where('accounts.id', '!=', exceptAccountId ?? '')
        .where('api_keys.revoked', '=', 0)
        .where((eb) => eb(eb.cast<string>('api_keys.scopes', 'text'), 'like', '%"admin"%'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async delete(id) {
      const done = await writer.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst();
      return done.numDeletedRows > 0n;
    },
  };
}

/** The row of a new key; also used when the first account is created with its key. */
export function newApiKeyRow(accountId: string, key: NewApiKey): Database['api_keys'] {
  return {
    id: randomUUID(),
    account_id: accountId,
    name: key.name,
    prefix: key.prefix,
    sha256: key.sha256,
    scopes: toJson(key.scopes),
    revoked: 0,
    created_at_ms: Date.now(),
  };
}

function toApiKey(row: Database['api_keys']): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    scopes: fromJson(row.scopes),
    revoked: row.revoked === 1,
    createdAtMs: row.created_at_ms,
  };
}
