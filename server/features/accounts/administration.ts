import { SCOPES, type Account, type ApiKey, type Plan, type QuotaUnit, type Scope } from '@jyutsing/contracts/accounts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import { checkName } from '#features/checked-fields.ts';
import { deleteWhenGone } from '#features/delete-when-gone.ts';
import { sampleKey } from '#features/voices/sample-contents.ts';
import { UUID } from '@jyutsing/contracts/uuid';
import type { AccountRepository } from '#store/repositories/accounts.ts';
import type { ApiKeyRepository } from '#store/repositories/keys.ts';
import type { CorpusRepository } from '#store/repositories/corpora.ts';
import type { QuotaRepository } from '#store/repositories/quotas.ts';
import type { StoredTextRepository } from '#store/repositories/stored-texts.ts';
import type { TranscriptionRepository } from '#store/repositories/transcriptions.ts';
import { quotaPeriod } from '@jyutsing/contracts/quota-period';
import { issueKey, keyWithSecret } from './api-keys.ts';
import { findAccount } from './find-account.ts';
import { planOf, quotaUses, topPlan, type Plans, type QuotaUse } from './plans.ts';

/** The repositories that administration uses. */
type AdministrationRepositories = {
  accounts: AccountRepository;
  keys: Pick<ApiKeyRepository, 'countAdministrators' | 'create' | 'delete' | 'list' | 'revoke'>;
  quotas: Pick<QuotaRepository, 'used'>;
  transcriptions: Pick<TranscriptionRepository, 'deleteFinished' | 'keptBytes'>;
  corpora: Pick<CorpusRepository, 'delete' | 'list'>;
  storedText: Pick<StoredTextRepository, 'bytes'>;
  transaction<Result>(work: (transaction: AdministrationTransaction) => Promise<Result>): Promise<Result>;
};

type AdministrationTransaction = {
  accounts: AccountRepository;
  keys: Pick<ApiKeyRepository, 'countAdministrators' | 'revoke'>;
};

export type Usage = {
  account: Account;
  plan: string;
  /** See `QuotaPeriod`. */
  period: string;
  periodStartMs: number;
  periodEndMs: number;
  quotas: Record<QuotaUnit, QuotaUse>;
  requestsPerMinute: number;
  pollsPerMinute: number;
  concurrent: Plan['concurrent'];
  /** The bytes of kept recordings. */
  keptBytes: number;
  keptAudioMb: Plan['keptAudioMb'];
  /** The bytes of the texts of transcriptions and corpora. */
  storedTextBytes: number;
  storedTextMb: Plan['storedTextMb'];
};

export type Administration = ReturnType<typeof createAdministration>;

const LAST_ADMINISTRATOR =
  'No key with the scope "admin" would be left; make another one first, for an account that stays.';
const MAX_NAME_LENGTH = 200;
/** Scopes of a new key by default. */
const DEFAULT_SCOPES = SCOPES.filter((scope) => scope !== 'admin');

/**
 * Operations of the HTTP interface and the command line. Throws `invalid_parameter` for an invalid
 * value, `not_found` for an unknown id.
 */
export function createAdministration(repositories: AdministrationRepositories, plans: Plans) {
  const requireAccount = async (idOrName: string): Promise<Account> => {
    const id = idOrName.toLowerCase();
    return (UUID.test(id) ? await repositories.accounts.find(id) : null) ?? noAccount();
  };

  return {
    async createAccount(account: { name: string; plan: string }): Promise<Account> {
      return repositories.accounts.create({
        name: checkName(account.name, MAX_NAME_LENGTH),
        plan: checkPlan(plans, account.plan),
      });
    },

    /** Finds an account by its id, its name or the beginning of its id (`findAccount`). */
    findAccount: (text: string): Promise<Account> => findAccount(repositories.accounts, text),

    /** In the order of the configuration. */
    listPlans: (): Plan[] => Object.values(plans),

    listAccounts: (): Promise<Account[]> => repositories.accounts.list(),

    async updateAccount(id: string, change: { plan?: string; blocked?: boolean }): Promise<Account> {
      if (change.plan !== undefined) checkPlan(plans, change.plan);
      const account = await requireAccount(id);
      const updated = await changeAccount(repositories, account.id, change);
      return updated ?? noAccount();
    },

    /**
     * Deletes the account with its records, corpora, voices, keys and quotas; running work notices
     * and ends. A file that cannot be deleted now is left to housekeeping.
     */
    async deleteAccount(id: string, blobs: Pick<BlobStore, 'delete'>): Promise<Account> {
      const account = await requireAccount(id);
      await deleteWithFiles(account.id, repositories, blobs);
      return account;
    },

    async createKey(
      accountId: string,
      { name = 'key', scopes = DEFAULT_SCOPES }: { name?: string; scopes?: readonly string[] },
    ): Promise<{ secret: string; key: ApiKey }> {
      const issued = issueKey(checkName(name, MAX_NAME_LENGTH), checkScopes(scopes));
      const account = await requireAccount(accountId);
      const created = repositories.keys.create(account.id, issued.stored);
      return { secret: issued.secret, key: await created.catch(rethrowAsNoAccount) };
    },

    async listKeys(accountId: string): Promise<ApiKey[]> {
      const account = await requireAccount(accountId);
      return repositories.keys.list(account.id);
    },

    async revokeKey(idOrPrefix: string): Promise<void> {
      const id = idOrPrefix.toLowerCase();
      if (!UUID.test(id) || !(await keepingAnAdministrator(repositories, ({ keys }) => keys.revoke(id)))) {
        throw new AppError('not_found', 'There is no API key with this id.');
      }
    },

    /** Leaves no trace of a key in the list: for one that served a single command. */
    async deleteKey(id: string): Promise<void> {
      if (!(await repositories.keys.delete(id))) throw new AppError('not_found', 'There is no API key with this id.');
    },

    async usage(accountId: string): Promise<Usage> {
      const account = await requireAccount(accountId);
      const plan = planOf(plans, account.plan);
      // The same time for both, or the dates and the usage could be of different periods.
      const nowMs = Date.now();
      const { period, startMs, endMs } = quotaPeriod(account.createdAtMs, nowMs);
      return {
        account,
        plan: plan.name,
        period,
        periodStartMs: startMs,
        periodEndMs: endMs,
        quotas: quotaUses(plan, await repositories.quotas.used(account.id, nowMs).catch(rethrowAsNoAccount)),
        requestsPerMinute: plan.requestsPerMinute,
        pollsPerMinute: plan.pollsPerMinute,
        concurrent: plan.concurrent,
        keptBytes: await repositories.transcriptions.keptBytes(account.id),
        keptAudioMb: plan.keptAudioMb,
        storedTextBytes: await repositories.storedText.bytes(account.id),
        storedTextMb: plan.storedTextMb,
      };
    },

    /**
     * Creates the owner's account on the top plan with a key of every scope; null when accounts
     * exist already. `secret` null: generates the key; `isNew` is then true, and the secret must be
     * shown.
     */
    async bootstrapOwner(secret: string | null): Promise<{ account: Account; secret: string; isNew: boolean } | null> {
      const issued = secret === null ? issueKey('owner', SCOPES) : keyWithSecret('owner', SCOPES, secret);
      const account = await repositories.accounts.createFirst({
        name: 'owner',
        plan: topPlan(plans).name,
        key: issued.stored,
      });
      return account === null ? null : { account, secret: issued.secret, isNew: secret === null };
    },
  };
}

/** Returns null for an unknown account. Throws `conflict` for blocking the last administrator. */
async function changeAccount(
  { accounts, transaction }: Pick<AdministrationRepositories, 'accounts' | 'transaction'>,
  id: string,
  change: { plan?: string; blocked?: boolean },
): Promise<Account | null> {
  if (change.blocked !== true) return accounts.update(id, change);
  return keepingAnAdministrator({ transaction }, (inside) => inside.accounts.update(id, change));
}

/** Throws `conflict` when only this account has keys that administer. */
async function requireAdministrator(keys: Pick<ApiKeyRepository, 'countAdministrators'>, exceptAccountId: string) {
  const isLast = (await keys.countAdministrators(exceptAccountId)) === 0 && (await keys.countAdministrators()) > 0;
  if (isLast) throw new AppError('conflict', LAST_ADMINISTRATOR);
}

/**
 * Makes a change in a transaction. Throws `conflict`, and changes nothing, when no key that
 * administers would be left.
 */
function keepingAnAdministrator<Result>(
  { transaction }: Pick<AdministrationRepositories, 'transaction'>,
  change: (transaction: AdministrationTransaction) => Promise<Result>,
): Promise<Result> {
  return transaction(async (inside) => {
    const before = await inside.keys.countAdministrators();
    const result = await change(inside);
    if (before > 0 && (await inside.keys.countAdministrators()) === 0)
      throw new AppError('conflict', LAST_ADMINISTRATOR);
    return result;
  });
}

async function deleteWithFiles(
  id: string,
  repositories: Pick<AdministrationRepositories, 'accounts' | 'corpora' | 'keys' | 'transaction' | 'transcriptions'>,
  blobs: Pick<BlobStore, 'delete'>,
): Promise<void> {
  // Before anything is deleted; the account itself goes last.
  await requireAdministrator(repositories.keys, id);
  // All records together would hold their locks, and in SQLite the event loop, for too long.
  for (;;) {
    const records = await repositories.transcriptions.deleteFinished({ accountId: id });
    if (records.length === 0) break;
    for (const { blobKey } of records) if (blobKey !== null) await blobs.delete(blobKey).catch(() => {});
  }
  // A hundred of five megabytes, at most.
  for (const corpus of await repositories.corpora.list(id)) await repositories.corpora.delete(corpus.id, id);
  let keys: string[] = [];
  // In a transaction, so that the files are known even if its commit is not answered.
  const deletion = keepingAnAdministrator(repositories, async ({ accounts }) => {
    const files = (await accounts.delete(id)) ?? noAccount();
    keys = [...files.uploadKeys, ...files.voiceIds.map(sampleKey)];
  });
  const isGone = async () => (await repositories.accounts.find(id)) === null;
  const deleteFiles = async () => {
    for (const key of keys) await blobs.delete(key).catch(() => {});
  };
  await deleteWhenGone(deletion, isGone, deleteFiles);
  await deleteFiles();
}

function noAccount(): never {
  throw new AppError('not_found', 'There is no account with this id.');
}

/** It was deleted meanwhile, which is no matter of the administrator's own key. */
function rethrowAsNoAccount(failure: unknown): never {
  if (failure instanceof AppError && failure.code === 'invalid_api_key') noAccount();
  throw failure;
}

function checkScopes(names: readonly string[]): Scope[] {
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  if (scopes.length === new Set(names).size) return scopes;
  throw new AppError('invalid_parameter', `There is no such scope; the scopes are ${SCOPES.join(', ')}.`);
}

function checkPlan(plans: Plans, name: string): string {
  if (!Object.hasOwn(plans, name)) {
    throw new AppError('invalid_parameter', `There is no such plan; the plans are ${Object.keys(plans).join(', ')}.`);
  }
  return name;
}
