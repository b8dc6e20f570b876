import type { Account } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { AccountRepository } from '#store/repositories/accounts.ts';

/** Shorter beginnings of an id are too easily those of another account. */
const MIN_PREFIX_LENGTH = 4;
const MAX_LISTED = 5;

/**
 * The account with this id, this name, or an id that begins so. Throws `not_found`, or
 * `invalid_parameter` with the ids when several accounts fit.
 */
export async function findAccount(accounts: Pick<AccountRepository, 'list'>, text: string): Promise<Account> {
  const all = await accounts.list();
  const searchText = text.trim();
  const fits: ((account: Account) => boolean)[] = [
    ({ id }) => id === searchText.toLowerCase(),
    ({ name }) => name === searchText,
    ({ id }) => searchText.length >= MIN_PREFIX_LENGTH && id.startsWith(searchText.toLowerCase()),
  ];
  for (const isWanted of fits) {
    const [found, ...otherMatches] = all.filter(isWanted);
    if (found === undefined) continue;
    if (otherMatches.length === 0) return found;
    const ids = [found, ...otherMatches].slice(0, MAX_LISTED).map(({ id }) => id);
    throw new AppError('invalid_parameter', `Several accounts fit "${searchText}": ${ids.join(', ')}.`);
  }
  throw new AppError('not_found', 'There is no account with this id or name.');
}
