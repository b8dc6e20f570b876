import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Account } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { formatTable, print } from './output.ts';
import { withAdministration } from './with-administration.ts';

/** `accounts create | list | delete | update`. */
export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('Manage accounts');

  accounts
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'display name')
    .option('--plan <plan>', 'name of a plan', 'free')
    .action(async ({ name, plan }: { name: string; plan: string }, command: Command) => {
      await withAdministration(
        command,
        async (administration) => {
          const account = await administration.createAccount({ name, plan });
          print(command, view(account), () => table([account]));
        },
        { mayCreate: true },
      );
    });

  accounts
    .command('list')
    .description('list all accounts, oldest first')
    .action(async (_options: object, command: Command) => {
      await withAdministration(command, async (administration) => {
        const all = await administration.listAccounts();
        print(command, all.map(view), () => table(all));
      });
    });

  accounts
    .command('delete')
    .description('delete an account with its records, recordings, corpora, voices, keys and quotas')
    .argument('<account>', 'id of the account, the beginning of it, or its name')
    .option('--yes', 'delete without asking')
    .action(async (idOrName: string, { yes }: { yes?: true }, command: Command) => {
      await withAdministration(command, async (administration) => {
        const { id, name } = await administration.findAccount(idOrName);
        if (yes !== true) await confirm(`Delete the account "${name}" (${id}) with all its data?`);
        await administration.deleteAccount(id);
        print(command, { id, deleted: true }, () => `Deleted ${id}.`);
      });
    });

  accounts
    .command('update')
    .description('change the plan of an account, or block or unblock it')
    .argument('<account>', 'id of the account, the beginning of it, or its name')
    .option('--plan <plan>', 'name of the new plan')
    .option('--block', 'reject all its requests with 401')
    .option('--unblock', 'accept its requests again')
    .action(async (idOrName: string, options: { plan?: string; block?: true; unblock?: true }, command: Command) => {
      if (options.block && options.unblock) command.error('Use --block or --unblock, not both.');
      const change = {
        ...(options.plan === undefined ? {} : { plan: options.plan }),
        ...(options.block || options.unblock ? { blocked: options.block === true } : {}),
      };
      await withAdministration(command, async (administration) => {
        const { id } = await administration.findAccount(idOrName);
        const account = await administration.updateAccount(id, change);
        print(command, view(account), () => table([account]));
      });
    });
}

/** Throws `conflict` unless a person answers with yes. */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new AppError('conflict', 'Nothing was deleted: add --yes to delete without asking.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new AppError('conflict', 'Nothing was deleted.');
}

function view({ id, name, plan, blocked, createdAtMs }: Account) {
  return { id, name, plan, blocked, created_at: new Date(createdAtMs).toISOString() };
}

function table(accounts: readonly Account[]): string {
  return formatTable(
    ['id', 'name', 'plan', 'blocked', 'created'],
    accounts
      .map(view)
      .map((account) => [
        account.id,
        account.name,
        account.plan,
        account.blocked ? 'yes' : 'no',
        account.created_at.slice(0, 10),
      ]),
  );
}
