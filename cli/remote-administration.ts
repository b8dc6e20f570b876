import type { Jyutsing, Account as SentAccount, ApiKey as SentKey } from '@jyutsing/client';
import { QUOTA_UNITS, type Account, type ApiKey, type Scope } from '@jyutsing/contracts/accounts';
import { findAccount } from '#server/features/accounts/find-account.ts';
import type { CommandAdministration } from './local-administration.ts';

/** The administration of a service over HTTP; its key needs the scope `admin`. */
export function createRemoteAdministration(client: Jyutsing): CommandAdministration {
  const { accounts, keys } = client;
  const listAccounts = async () => (await accounts.list()).map(toAccount);
  return {
    listAccounts,
    findAccount: (text) => findAccount({ list: listAccounts }, text),
    createAccount: async (account) => toAccount(await accounts.create(account)),
    updateAccount: async (id, change) => toAccount(await accounts.update(id, change)),
    async deleteAccount(id) {
      await accounts.delete(id);
    },
    async createKey(accountId, { name, scopes }) {
      const made = await keys.create(accountId, {
        ...(name !== undefined && { name }),
        ...(scopes && { scopes: scopes as Scope[] }),
      });
      return { secret: made.api_key, key: toKey(made.key, accountId) };
    },
    listKeys: async (accountId) => (await keys.list(accountId)).map((key) => toKey(key, accountId)),
    revokeKey: (id) => keys.revoke(id),
    async usage(accountId) {
      const { account, plan, period, period_end, quotas } =
        accountId === null ? await client.usage() : await accounts.usage(accountId);
      return {
        account,
        plan,
        period,
        periodEndMs: Date.parse(period_end),
        quotas: Object.fromEntries(QUOTA_UNITS.map((unit) => [unit, quotas[unit]])) as never,
      };
    },
  };
}

function toAccount({ created_at: createdAt, ...account }: SentAccount): Account {
  return { ...account, createdAtMs: Date.parse(createdAt) };
}

function toKey({ created_at: createdAt, ...key }: SentKey, accountId: string): ApiKey {
  return { ...key, accountId, createdAtMs: Date.parse(createdAt) };
}
