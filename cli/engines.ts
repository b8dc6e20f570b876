import type { Command } from 'commander';
import { loadConfig } from '#config/config.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '#engines/registry.ts';
import { formatTable, print } from './output.ts';

/** `engines`: what was found, and why something does not work here. */
export function addEngineCommands(program: Command): void {
  program
    .command('engines')
    .description('the models that the engines of this server can run')
    .action(async (_options: object, command: Command) => {
      const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, surroundings: loadConfig().engines });
      const models = registry.describeModels();
      print(command, { models, broken: registry.broken }, () =>
        formatTable(
          ['model', 'engine', 'ability', 'version', 'languages', 'state'],
          [
            ...models.map((model) => [
              model.name,
              model.engine,
              model.ability,
              model.version,
              Object.keys(model.capabilities.languages).join(','),
              model.reason ?? 'available',
            ]),
            ...registry.broken.map(({ name, reason }) => ['', name, '', '', '', reason]),
          ],
        ),
      );
    });
}
