import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Administration } from '#features/accounts/administration.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import { UsageAnswer, viewUsage } from '#http/usage/schema.ts';
import {
  AccountAnswer,
  AccountsAnswer,
  CreateAccount,
  CreateKey,
  IdParameter,
  KeysAnswer,
  NewKeyAnswer,
  RevokedAnswer,
  UpdateAccount,
  viewAccount,
  viewKey,
} from './schema.ts';

const DOCUMENTED = { tags: ['Administration'], security: HEADER_KEY };
const ERRORS = errorResponses(
  ...KEY_ERRORS,
  'not_found',
  'invalid_parameter',
  'unsupported_media_type',
  'payload_too_large',
);

/** Accounts, keys and use, for keys with the scope `admin`. */
export function adminRoutes(administration: Administration, authenticator: Authenticator) {
  return async function routes(app: FastifyInstance): Promise<void> {
    // After the body was parsed, which may carry the key, and before it is validated: a stranger learns nothing of the rules.
    app.addHook('preValidation', async (request, reply) => {
      const admission = { scope: 'admin', counted: 'request' } as const;
      await authenticator.admit(headerKey(request) ?? bodyKey(request), admission, request, reply);
    });
    accountRoutes(app, administration);
    keyRoutes(app, administration);
  };
}

function accountRoutes(app: FastifyInstance, administration: Administration): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/api/admin/accounts', {
    schema: { ...DOCUMENTED, summary: 'All accounts, oldest first', response: { 200: AccountsAnswer, ...ERRORS } },
    handler: async () => {
      const accounts = await administration.listAccounts();
      return { success: true as const, accounts: accounts.map(viewAccount) };
    },
  });
  typed.post('/api/admin/accounts', {
    schema: {
      ...DOCUMENTED,
      summary: 'Create an account',
      body: CreateAccount,
      response: { 200: AccountAnswer, ...ERRORS },
    },
    handler: async ({ body: { name, plan } }) => ({
      success: true as const,
      account: viewAccount(await administration.createAccount({ name, plan })),
    }),
  });
  typed.patch('/api/admin/accounts/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'Change the plan of an account, block or unblock it',
      params: IdParameter,
      body: UpdateAccount,
      response: { 200: AccountAnswer, ...ERRORS },
    },
    handler: async ({ params, body: { plan, blocked } }) => {
      const change = { ...(plan === undefined ? {} : { plan }), ...(blocked === undefined ? {} : { blocked }) };
      return { success: true as const, account: viewAccount(await administration.updateAccount(params.id, change)) };
    },
  });
  typed.get('/api/admin/accounts/:id/usage', {
    schema: {
      ...DOCUMENTED,
      summary: 'Plan, quotas and use of an account',
      params: IdParameter,
      response: { 200: UsageAnswer, ...ERRORS },
    },
    handler: async ({ params }) => viewUsage(await administration.usage(params.id)),
  });
}

function keyRoutes(app: FastifyInstance, administration: Administration): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/api/admin/accounts/:id/keys', {
    schema: {
      ...DOCUMENTED,
      summary: 'The keys of an account',
      params: IdParameter,
      response: { 200: KeysAnswer, ...ERRORS },
    },
    handler: async ({ params }) => {
      const keys = await administration.listKeys(params.id);
      return { success: true as const, keys: keys.map(viewKey) };
    },
  });
  typed.post('/api/admin/accounts/:id/keys', {
    schema: {
      ...DOCUMENTED,
      summary: 'Create a key',
      description: 'The answer is the only time that the key itself is told.',
      params: IdParameter,
      body: CreateKey,
      response: { 200: NewKeyAnswer, ...ERRORS },
    },
    handler: async ({ params, body }) => {
      const { secret, key } = await administration.createKey(params.id, {
        ...(body?.name === undefined ? {} : { name: body.name }),
        ...(body?.scopes === undefined ? {} : { scopes: body.scopes }),
      });
      return { success: true as const, api_key: secret, key: viewKey(key) };
    },
  });
  typed.delete('/api/admin/keys/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'Revoke a key',
      description: 'Takes effect at once.',
      params: IdParameter,
      response: { 200: RevokedAnswer, ...ERRORS },
    },
    handler: async ({ params }) => {
      await administration.revokeKey(params.id);
      return { success: true as const };
    },
  });
}
