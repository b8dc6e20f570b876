import type { Command } from 'commander';
import { loadConfig } from '#config/config.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '#engines/registry.ts';
import { formatTable, print } from './output.ts';

/** `engines`: what was found, and why something does not work here. */
export function addEngineCommands(program: Command): void {
  program
    .command('engines')
    .description('the engines of this server, best first')
    .action(async (_options: object, command: Command) => {
      const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, surroundings: loadConfig().engines });
      const engines = registry.describeEngines();
      print(command, { engines, broken: registry.broken }, () =>
        formatTable(
          ['engine', 'ability', 'version', 'languages', 'state'],
          [
            ...engines.map((engine) => [
              engine.name,
              engine.ability,
              engine.version,
              engine.capabilities.languages.join(','),
              engine.reason ?? 'available',
            ]),
            ...registry.broken.map(({ name, reason }) => [name, '', '', '', reason]),
          ],
        ),
      );
    });
}
