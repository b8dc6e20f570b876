import type { Account } from '@jyutsing/contracts/accounts';
import type { NewApiKey } from './keys.ts';

/** Accounts and the order in which they were created. */
export type AccountRepository = {
  create(account: { name: string; plan: string }): Promise<Account>;
  find(id: string): Promise<Account | null>;
  /** All accounts, oldest first. */
  list(): Promise<Account[]>;
  /** The names of the plans that accounts have, in alphabetical order. */
  plansInUse(): Promise<string[]>;
  /** Returns the changed account, or null when there is none with this id. */
  update(id: string, change: { plan?: string; blocked?: boolean }): Promise<Account | null>;
  /**
   * Deletes the account with everything that belongs to it. Returns its stored files, which the
   * caller deletes: uploads by key, samples by voice; null when there is no such account.
   */
  delete(id: string): Promise<{ uploadKeys: string[]; voiceIds: string[] } | null>;
  /**
   * Creates the account and its key only if the database has no account yet; null otherwise.
   * Atomic: two processes that start together create one owner.
   */
  createFirst(owner: { name: string; plan: string; key: NewApiKey }): Promise<Account | null>;
  /** The account that was created first, deleted or not: no two databases have the same. */
  firstId(): Promise<string | null>;
};
