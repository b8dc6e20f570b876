import type { Account, QuotaUnit } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { loadConfig } from '#server/config/config.ts';
import { createAdministration, type Administration } from '#server/features/accounts/administration.ts';
import { findAccount } from '#server/features/accounts/find-account.ts';
import type { Store } from '#server/store/store.ts';
import { loadPlans } from '#server/wiring/load-plans.ts';
import { openConfiguredStore } from './open-store.ts';

type Operations = 'createAccount' | 'findAccount' | 'listAccounts' | 'updateAccount' | 'createKey' | 'listKeys';

/** The operations of commands, which run over HTTP or in the database of DATA_DIR. */
export type CommandAdministration = Pick<Administration, Operations> & {
  deleteAccount(id: string): Promise<void>;
  revokeKey(id: string): Promise<unknown>;
  /**
   * An id of null stands for the account of the key or, in the database of DATA_DIR, for the owner.
   */
  usage(accountId: string | null): Promise<{
    account: Pick<Account, 'id' | 'name'>;
    plan: string;
    period: string;
    periodEndMs: number;
    quotas: Record<QuotaUnit, { used: number; limit: number | null; remaining: number | null }>;
  }>;
};

type LocalAdministration = CommandAdministration & Pick<Administration, 'deleteKey'>;

/** `mayCreate`: the database need not exist yet. */
export type AdministrationOptions = { mayCreate?: boolean };

/** Runs `use` with the administration of the configured store, whether its service runs or not. */
export async function withLocalAdministration(
  use: (administration: LocalAdministration) => Promise<void>,
  options: AdministrationOptions = {},
): Promise<void> {
  const config = loadConfig();
  const plans = await loadPlans(config.plansFile);
  const store = await openConfiguredStore(config, options);
  try {
    const { openBlobs } = await import('#server/store/blobs.ts');
    const blobs = await openBlobs(config);
    const administration = createAdministration(store, plans);
    await use({
      ...administration,
      async deleteAccount(id) {
        await administration.deleteAccount(id, blobs);
      },
      usage: async (id) => administration.usage(id ?? (await ownerOf(administration)).id),
    });
  } finally {
    await store.close();
  }
}

/** The id of the account with this id or name, otherwise of the owner. Throws `not_found`. */
export async function accountIdOf(accounts: Store['accounts'], idOrName: string | undefined): Promise<string> {
  if (idOrName !== undefined) return (await findAccount(accounts, idOrName)).id;
  return (await ownerOf({ listAccounts: () => accounts.list() })).id;
}

/** The oldest account. Throws `not_found`. */
export async function ownerOf({ listAccounts }: Pick<Administration, 'listAccounts'>): Promise<Account> {
  const [owner] = (await listAccounts()).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  if (owner === undefined) throw new AppError('not_found', 'The database in DATA_DIR has no account yet.');
  return owner;
}
