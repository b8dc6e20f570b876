import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { newWebhookSecret } from '#features/webhooks/secret.ts';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { WebhookSecretAnswer } from './schema.ts';

/** The secret by which an account knows that a delivery to its `callback_url` is ours. */
export function webhookSecretRoutes({ store }: Pick<HttpServices, 'store'>, authenticator: Authenticator) {
  const schema = {
    tags: ['Account'],
    security: HEADER_KEY,
    response: { 200: WebhookSecretAnswer, ...errorResponses(...KEY_ERRORS) },
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { account } = await authenticator.admit(
      headerKey(request),
      { scope: 'stt', counted: 'request' },
      request,
      reply,
    );
    // No cache on the way may keep a secret.
    reply.header('cache-control', 'no-store');
    return account.id;
  };
  return async function routes(app: FastifyInstance): Promise<void> {
    const typed = app.withTypeProvider<ZodTypeProvider>();
    typed.get('/api/webhook-secret', {
      schema: { ...schema, summary: 'The secret that deliveries are signed with; made when first asked for' },
      handler: async (request, reply) => {
        const accountId = await admit(request, reply);
        const secret = await store.webhookSecrets.findOrCreate(accountId, newWebhookSecret());
        return { success: true as const, secret };
      },
    });
    typed.post('/api/webhook-secret/rotate', {
      schema: {
        ...schema,
        summary: 'Replace the secret: every later delivery, retries included, is signed with the new one',
      },
      handler: async (request, reply) => {
        const accountId = await admit(request, reply);
        const secret = newWebhookSecret();
        await store.webhookSecrets.replace(accountId, secret);
        return { success: true as const, secret };
      },
    });
  };
}
