import type { Command } from 'commander';
import { QUOTA_UNITS } from '@jyutsing/contracts/accounts';
import { formatTable, print } from './output.ts';
import { withAdministration } from './with-administration.ts';

const unlimited = (value: number | null) => value ?? 'unlimited';

/** `usage [account]`. */
export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .description('show the plan of an account, and its quotas and usage in the current month')
    .argument('[account]', 'id of the account, the beginning of it, or its name; otherwise that of the key')
    .action(async (account: string | undefined, _options: object, command: Command) => {
      await withAdministration(command, async (administration) => {
        const {
          account: found,
          plan,
          period,
          periodEndMs,
          quotas,
        } = await administration.usage(account === undefined ? null : (await administration.findAccount(account)).id);
        const end = new Date(periodEndMs).toISOString().slice(0, 10);
        const shown = { account: { id: found.id, name: found.name }, plan, period, period_end: end, quotas };
        print(command, shown, () => {
          const rows = QUOTA_UNITS.map((unit) => {
            const { used, limit, remaining } = quotas[unit];
            return [unit, used, unlimited(limit), unlimited(remaining)];
          });
          return `${found.name}, plan ${plan}, ${period} until ${end}\n\n${formatTable(['unit', 'used', 'limit', 'remaining'], rows)}`;
        });
      });
    });
}
