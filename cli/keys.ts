import { InvalidArgumentError, type Command } from 'commander';
import { SCOPES, type ApiKey, type Scope } from '@jyutsing/contracts/accounts';
import { formatTable, print } from './output.ts';
import { withAdministration } from './with-administration.ts';

/** `keys create | list | revoke`. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('Manage API keys of accounts');

  keys
    .command('create')
    .description('create a key and print it; it cannot be shown again')
    .argument('<account>', 'id of the account, the beginning of it, or its name')
    .option('--name <name>', 'display name', 'key')
    .option('--scopes <scopes>', `comma-separated from ${SCOPES.join(', ')}; default: all but admin`, parseScopes)
    .action(async (account: string, options: { name: string; scopes?: Scope[] }, command: Command) => {
      await withAdministration(command, async (administration) => {
        const { secret, key } = await administration.createKey((await administration.findAccount(account)).id, options);
        print(command, { api_key: secret, key: view(key) }, () => `${secret}\n\n${table([key])}`);
      });
    });

  keys
    .command('list')
    .description('list the keys of an account')
    .argument('<account>', 'id of the account, the beginning of it, or its name')
    .action(async (account: string, _options: object, command: Command) => {
      await withAdministration(command, async (administration) => {
        const all = await administration.listKeys((await administration.findAccount(account)).id);
        print(command, all.map(view), () => table(all));
      });
    });

  keys
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<key>', 'id of the key')
    .action(async (id: string, _options: object, command: Command) => {
      await withAdministration(command, async (administration) => {
        await administration.revokeKey(id);
        print(command, { id, revoked: true }, () => `Revoked ${id}.`);
      });
    });
}

function parseScopes(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim());
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  if (scopes.length !== new Set(words).size) throw new InvalidArgumentError(`The scopes are ${SCOPES.join(', ')}.`);
  return scopes;
}

function view({ id, name, prefix, scopes, revoked, createdAtMs }: ApiKey) {
  return { id, name, prefix, scopes, revoked, created_at: new Date(createdAtMs).toISOString() };
}

function table(keys: readonly ApiKey[]): string {
  return formatTable(
    ['id', 'name', 'begins with', 'scopes', 'revoked', 'created'],
    keys
      .map(view)
      .map((key) => [
        key.id,
        key.name,
        key.prefix,
        key.scopes.join(','),
        key.revoked ? 'yes' : 'no',
        key.created_at.slice(0, 10),
      ]),
  );
}
