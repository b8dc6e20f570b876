import type { Command } from 'commander';
import { QUOTA_UNITS } from '#contracts/accounts.ts';
import { formatTable, print } from './output.ts';
import { withAdministration } from './with-administration.ts';

const unlimited = (value: number | null) => value ?? 'unlimited';

/** `usage <account>`. */
export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .description('plan, quotas and use of an account in the present month')
    .argument('<account>', 'id of the account')
    .action(async (accountId: string, _options: object, command: Command) => {
      await withAdministration(async (administration) => {
        const { account, plan, period, quotas } = await administration.usage(accountId);
        print(command, { account: { id: account.id, name: account.name }, plan, period, quotas }, () => {
          const rows = QUOTA_UNITS.map((unit) => {
            const { used, limit, remaining } = quotas[unit];
            return [unit, used, unlimited(limit), unlimited(remaining)];
          });
          return `${account.name}, plan ${plan}, ${period}\n\n${formatTable(['unit', 'used', 'limit', 'remaining'], rows)}`;
        });
      });
    });
}
