import type { Account, ApiKey, Scope } from '@jyutsing/contracts/accounts';

/** A key before it is stored: the SHA-256 (hex) stands for the secret. */
export type NewApiKey = { name: string; scopes: Scope[]; prefix: string; sha256: string };

/** API keys of accounts, revoked ones included. */
export type ApiKeyRepository = {
  create(accountId: string, key: NewApiKey): Promise<ApiKey>;
  /** Finds a key that is not revoked, with its account, by the SHA-256 (hex) of the secret. */
  findByHash(sha256: string): Promise<{ key: ApiKey; account: Account } | null>;
  /** The same by the id of the key, with that hash. */
  find(id: string): Promise<{ key: ApiKey; account: Account; sha256: string } | null>;
  list(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key. Revoking twice returns true both times. */
  revoke(id: string): Promise<boolean>;
  /**
   * Counts the keys with the scope `admin` of accounts that are not blocked, one account left out.
   * In a transaction, simultaneous calls wait for its end: otherwise two would each leave the
   * other's key.
   */
  countAdministrators(exceptAccountId?: string): Promise<number>;
  /** Removes a key that only its own program knew. False when there is none. */
  delete(id: string): Promise<boolean>;
};
