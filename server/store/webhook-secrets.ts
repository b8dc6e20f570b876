import type { Connection } from './database-types.ts';
import type { WebhookSecretRepository } from './repositories/webhook-secrets.ts';

/** Implements `WebhookSecretRepository`. */
export function createWebhookSecretRepository({ writer }: Connection): WebhookSecretRepository {
  return {
    async findOrCreate(accountId, fresh) {
      // Two simultaneous first requests must get the same secret, so the second reads what the
      // first wrote.
      await writer
        .insertInto('webhook_secrets')
        .values({ account_id: accountId, secret: fresh, created_at_ms: Date.now() })
        .onConflict((oc) => oc.column('account_id').doNothing())
        .execute();
      const row = await writer
        .selectFrom('webhook_secrets')
        .select('secret')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return row.secret;
    },

    async replace(accountId, secret) {
      const createdAtMs = Date.now();
      await writer
        .insertInto('webhook_secrets')
        .values({ account_id: accountId, secret, created_at_ms: createdAtMs })
        .onConflict((oc) => oc.column('account_id').doUpdateSet({ secret, created_at_ms: createdAtMs }))
        .execute();
    },
  };
}
