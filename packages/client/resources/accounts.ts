import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { Account, ApiKey, Plan, Scope, Usage } from '#client/types.ts';

export type AccountChange = RequestOptions & {
  /** Name of the new plan. */
  plan?: string | undefined;
  blocked?: boolean | undefined;
};

const PATH = '/api/admin/accounts';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** Accounts of the service, for keys with the scope `admin`. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the accounts, oldest first. */
  list(options?: RequestOptions): ApiPromise<Account[]> {
    const response = this.#transport.json<{ accounts: Account[] }>({ method: 'GET', path: PATH }, options);
    return mapPromise(response, ({ accounts }) => accounts);
  }

  /** Lists the plans that an account can have. */
  plans(options?: RequestOptions): ApiPromise<Plan[]> {
    const response = this.#transport.json<{ plans: Plan[] }>({ method: 'GET', path: '/api/admin/plans' }, options);
    return mapPromise(response, ({ plans }) => plans);
  }

  create({ name, plan, ...request }: RequestOptions & { name: string; plan: string }): ApiPromise<Account> {
    return accountOf(this.#transport.json({ method: 'POST', path: PATH, body: { json: { name, plan } } }, request));
  }

  update(id: string, { plan, blocked, ...request }: AccountChange): ApiPromise<Account> {
    const spec = { method: 'PATCH', path: pathOf(id), body: { json: { plan, blocked } } } as const;
    return accountOf(this.#transport.json(spec, request));
  }

  usage(id: string, options?: RequestOptions): ApiPromise<Usage> {
    return this.#transport.json({ method: 'GET', path: `${pathOf(id)}/usage` }, options);
  }

  /** Deletes an account with all its data. Cannot be undone. */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: pathOf(id) }, options);
  }
}

/** Keys of accounts, for keys with the scope `admin`. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(accountId: string, options?: RequestOptions): ApiPromise<ApiKey[]> {
    const spec = { method: 'GET', path: `${pathOf(accountId)}/keys` } as const;
    return mapPromise(this.#transport.json<{ keys: ApiKey[] }>(spec, options), ({ keys }) => keys);
  }

  /**
   * Makes a key; only this response contains `api_key`, the key itself. Scopes default to all but
   * `admin`.
   */
  create(
    accountId: string,
    { name, scopes, ...request }: RequestOptions & { name?: string; scopes?: readonly Scope[] } = {},
  ): ApiPromise<{ api_key: string; key: ApiKey }> {
    const spec = { method: 'POST', path: `${pathOf(accountId)}/keys`, body: { json: { name, scopes } } } as const;
    return this.#transport.json(spec, request);
  }

  /** Revokes a key; it takes effect at once. */
  async revoke(keyId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/api/admin/keys/${encodeURIComponent(keyId)}` }, options);
  }
}

const accountOf = (response: ApiPromise<{ account: Account }>) => mapPromise(response, ({ account }) => account);
