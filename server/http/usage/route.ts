import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Administration } from '#features/accounts/administration.ts';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import { UsageAnswer, viewUsage } from './schema.ts';

/** What an account may know of itself, with any of its keys. */
export function usageRoutes(administration: Administration, authenticator: Authenticator) {
  return async function routes(app: FastifyInstance): Promise<void> {
    app.withTypeProvider<ZodTypeProvider>().get('/api/usage', {
      schema: {
        tags: ['Account'],
        summary: 'Plan, quotas and use of the present period',
        security: HEADER_KEY,
        response: { 200: UsageAnswer, ...errorResponses(...KEY_ERRORS) },
      },
      handler: async (request, reply) => {
        const admission = { scope: null, counted: 'request' } as const;
        const { account } = await authenticator.admit(headerKey(request), admission, request, reply);
        return viewUsage(await administration.usage(account.id));
      },
    });
  };
}
