import { newWebhookSecret } from '#features/webhooks/secret.ts';
import type { ServerDeps } from '#http/deps.ts';
import { noBody, type AddRoute, type Route } from '#http/route.ts';
import { WebhookSecretAnswer } from './schema.ts';

type RouteDeps = Pick<ServerDeps, 'store'>;
type SecretRoute = Route<undefined, string>;

const COMMON = {
  auth: { scope: 'stt', rateLimit: 'request' },
  body: noBody,
  answer(secret: string, { reply }) {
    // Caches between the client and this server must not keep a secret.
    reply.header('cache-control', 'no-store');
    return { success: true, secret };
  },
} as const satisfies Partial<SecretRoute>;

/** The secret with which deliveries to an account's `callback_url` are signed. */
export function addWebhookSecretRoutes(addRoute: AddRoute, { store }: RouteDeps): void {
  addRoute<undefined, string>({
    ...COMMON,
    method: 'GET',
    paths: ['/api/webhook-secret'],
    docs: {
      tags: ['Account'],
      operationId: 'getWebhookSecret',
      summary: 'The secret that signs webhook deliveries; created by the first request for it',
      ok: WebhookSecretAnswer,
    },
    run: ({ caller }) => store.webhookSecrets.findOrCreate(caller.account.id, newWebhookSecret()),
  });
  addRoute<undefined, string>({
    ...COMMON,
    method: 'POST',
    paths: ['/api/webhook-secret/rotate'],
    docs: {
      tags: ['Account'],
      operationId: 'rotateWebhookSecret',
      summary: 'Replace the secret; every later delivery, including retries, is signed with the new one',
      ok: WebhookSecretAnswer,
    },
    async run({ caller }) {
      const secret = newWebhookSecret();
      await store.webhookSecrets.replace(caller.account.id, secret);
      return secret;
    },
  });
}
