import type { z } from 'zod';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { ModelPulls } from '@jyutsing/contracts/model-catalog';
import type { Administration } from '#features/accounts/administration.ts';
import type { Caller } from '#http/authentication.ts';
import type { ConcurrencyLimits } from '#http/concurrency-limits.ts';
import { keyInJsonBody, strictJsonBody } from '#http/json-body.ts';
import type { AddRoute, BodyReader, RouteDocs } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { UsageAnswer, viewUsage } from '#http/usage/schema.ts';
import { ModelsAnswer, viewPullable } from './model-schema.ts';
import {
  accountBodies,
  AccountAnswer,
  AccountsAnswer,
  CreateKey,
  IdParameter,
  KeysAnswer,
  NewKeyAnswer,
  PlansAnswer,
  SuccessAnswer,
  viewAccount,
  viewKey,
  viewPlan,
} from './schema.ts';

const BODY_ERRORS = ['invalid_parameter', 'unsupported_media_type', 'payload_too_large'] as const;

type AdminRoute<Input> = {
  endpoint: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/admin/${string}`;
  docs: Pick<RouteDocs, 'operationId' | 'summary' | 'description' | 'params'> & { ok: z.ZodType };
  body: BodyReader<Input>;
  /** `id` is that of the path. */
  run(input: Input, id: string, caller: Caller): Promise<object>;
};

type RouteDeps = {
  administration: Administration;
  blobs: Pick<BlobStore, 'delete'>;
  concurrency: Pick<ConcurrencyLimits, 'inUse'>;
  modelPulls: ModelPulls;
};

/** Accounts, keys and their usage, for keys with the scope `admin`. */
export function addAdminRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const add = <Input>({ endpoint, docs, body, run }: AdminRoute<Input>) => {
    const [method = '', path = ''] = endpoint.split(' ');
    addRoute({
      method,
      paths: [path],
      docs: {
        tags: ['Administration'],
        ...docs,
        errors: errorsOf(method, path, body),
      },
      auth: { scope: 'admin', rateLimit: 'request' },
      body,
      run: ({ input, id, caller }: RouteContext<Input>) => run(input, id, caller),
    });
  };
  addAccountRoutes(add, deps);
  addDeletion(add, deps);
  addKeyRoutes(add, deps);
  addModelRoutes(add, deps);
}

function errorsOf(method: string, path: string, body: unknown): ErrorCode[] {
  if (method === 'GET') return path.includes(':id') ? ['not_found'] : [];
  return ['not_found', 'conflict', ...(body === keyInJsonBody ? [] : BODY_ERRORS)];
}

type AddAdminRoute = <Input>(route: AdminRoute<Input>) => void;

function addAccountRoutes(add: AddAdminRoute, { administration, concurrency }: RouteDeps): void {
  const bodies = accountBodies(administration.listPlans().map(({ name }) => name));
  add({
    endpoint: 'GET /api/admin/plans',
    docs: { operationId: 'listPlans', summary: 'The plans that an account can have', ok: PlansAnswer },
    body: keyInJsonBody,
    run: async () => ({ success: true, plans: administration.listPlans().map(viewPlan) }),
  });
  add({
    endpoint: 'GET /api/admin/accounts',
    docs: { operationId: 'listAccounts', summary: 'All accounts, oldest first', ok: AccountsAnswer },
    body: keyInJsonBody,
    run: async () => ({ success: true, accounts: (await administration.listAccounts()).map(viewAccount) }),
  });
  add({
    endpoint: 'POST /api/admin/accounts',
    docs: { operationId: 'createAccount', summary: 'Create an account', ok: AccountAnswer },
    body: strictJsonBody(bodies.create),
    run: async ({ name, plan }) => ({
      success: true,
      account: viewAccount(await administration.createAccount({ name, plan })),
    }),
  });
  add({
    endpoint: 'PATCH /api/admin/accounts/:id',
    docs: {
      operationId: 'updateAccount',
      summary: 'Change the plan of an account, block or unblock it',
      params: IdParameter,
      ok: AccountAnswer,
    },
    body: strictJsonBody(bodies.update),
    async run({ plan, blocked }, id, { account }) {
      if (blocked === true) refuseOwn(id, account.id, 'An account cannot block itself; use a key of another account.');
      const change = { ...(plan === undefined ? {} : { plan }), ...(blocked === undefined ? {} : { blocked }) };
      return { success: true, account: viewAccount(await administration.updateAccount(id, change)) };
    },
  });
  add({
    endpoint: 'GET /api/admin/accounts/:id/usage',
    docs: {
      operationId: 'getAccountUsage',
      summary: 'Plan, quotas and usage of an account',
      params: IdParameter,
      ok: UsageAnswer,
    },
    body: keyInJsonBody,
    async run(_, id) {
      const usage = await administration.usage(id);
      return viewUsage(usage, await concurrency.inUse(usage.account.id));
    },
  });
}

/** Throws `conflict` when both are one: the key that asks would be locked out. */
function refuseOwn(id: string, ownId: string, message: string): void {
  if (id.toLowerCase() === ownId) throw new AppError('conflict', message);
}

function addDeletion(add: AddAdminRoute, { administration, blobs }: RouteDeps): void {
  add({
    endpoint: 'DELETE /api/admin/accounts/:id',
    docs: {
      operationId: 'deleteAccount',
      summary: 'Delete an account with all its data',
      description: 'Running work ends. Cannot be undone.',
      params: IdParameter,
      ok: SuccessAnswer,
    },
    body: keyInJsonBody,
    async run(_, id, { account }) {
      refuseOwn(id, account.id, 'An account cannot delete itself; use a key of another account.');
      await administration.deleteAccount(id, blobs);
      return { success: true };
    },
  });
}

function addKeyRoutes(add: AddAdminRoute, { administration }: RouteDeps): void {
  add({
    endpoint: 'GET /api/admin/accounts/:id/keys',
    docs: { operationId: 'listKeys', summary: 'The keys of an account', params: IdParameter, ok: KeysAnswer },
    body: keyInJsonBody,
    run: async (_, id) => ({ success: true, keys: (await administration.listKeys(id)).map(viewKey) }),
  });
  add({
    endpoint: 'POST /api/admin/accounts/:id/keys',
    docs: {
      operationId: 'createKey',
      summary: 'Create a key',
      description: 'Only this answer contains the key itself.',
      params: IdParameter,
      ok: NewKeyAnswer,
    },
    body: strictJsonBody(CreateKey),
    async run(body, id) {
      const { secret, key } = await administration.createKey(id, {
        ...(body?.name === undefined ? {} : { name: body.name }),
        ...(body?.scopes === undefined ? {} : { scopes: body.scopes }),
      });
      return { success: true, api_key: secret, key: viewKey(key) };
    },
  });
  add({
    endpoint: 'DELETE /api/admin/keys/:id',
    docs: {
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'At once; its live sessions end within 2 s.',
      params: IdParameter,
      ok: SuccessAnswer,
    },
    body: keyInJsonBody,
    async run(_, id, { key }) {
      refuseOwn(id, key.id, 'A key cannot revoke itself; make another one, and revoke this one with it.');
      await administration.revokeKey(id);
      return { success: true };
    },
  });
}

function addModelRoutes(add: AddAdminRoute, { modelPulls }: RouteDeps): void {
  add({
    endpoint: 'GET /api/admin/models',
    docs: { operationId: 'listPullableModels', summary: 'Models that can be pulled', ok: ModelsAnswer },
    body: keyInJsonBody,
    async run() {
      const models = modelPulls.isOpenToOwners ? await modelPulls.list() : [];
      return { success: true, models: models.map(viewPullable) };
    },
  });
  add({
    endpoint: 'POST /api/admin/models/:id/pull',
    docs: {
      operationId: 'pullModel',
      summary: 'Pull a model; `/health` shows the progress',
      params: IdParameter,
      ok: SuccessAnswer,
    },
    body: keyInJsonBody,
    async run(_, name) {
      if (!modelPulls.isOpenToOwners) {
        throw new AppError('conflict', 'This service pulls no models over HTTP: MODELS_PULL_OVER_HTTP is off.');
      }
      modelPulls.start(name);
      return { success: true };
    },
  });
}
