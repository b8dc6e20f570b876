import type { Command } from 'commander';
import {
  withLocalAdministration,
  type AdministrationOptions,
  type CommandAdministration,
} from './local-administration.ts';

/**
 * Runs `use` with the administration of the service of `--url` or JYUTSING_URL, otherwise of the
 * configured store, whether its service runs or not.
 */
export async function withAdministration(
  command: Command,
  use: (administration: CommandAdministration) => Promise<void>,
  options: AdministrationOptions = {},
): Promise<void> {
  const { connect, hasAddress } = await import('./connection.ts');
  if (!hasAddress(command)) return withLocalAdministration(use, options);
  const { createRemoteAdministration } = await import('./remote-administration.ts');
  await using connection = await connect(command);
  await use(createRemoteAdministration(connection.client));
}
