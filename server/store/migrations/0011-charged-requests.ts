import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The Idempotency-Keys of requests that cost something but leave no record. */
export const chargedRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('charged_requests')
      .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('request_sha256', 'text', (c) => c.notNull())
      .addColumn('reservation_id', 'text', (c) => c.notNull())
      .addColumn('paid', 'integer', (c) => c.notNull())
      .addColumn('repeats', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('charged_requests_key', ['account_id', 'key'])
      .execute();
    await db.schema
      .createIndex('charged_requests_by_reservation')
      .on('charged_requests')
      .columns(['reservation_id'])
      .execute();
  },
};
