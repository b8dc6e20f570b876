import type { Command } from 'commander';
import {
  FALLBACK_ADVICE,
  FALLBACK_NATURE,
  FALLBACK_RECOGNIZER,
  type ModelDescription,
} from '@jyutsing/contracts/model-catalog';
import { loadConfig } from '#server/config/config.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { formatTable, print } from './output.ts';

function stateOf({ name, ability }: ModelDescription, all: readonly ModelDescription[]): string {
  if (ability !== 'recognizer' || name !== FALLBACK_RECOGNIZER) return 'available';
  const isAlone = all.filter((engine) => engine.ability === 'recognizer' && engine.available).length === 1;
  return `available; ${isAlone ? FALLBACK_ADVICE : FALLBACK_NATURE}`;
}

/** `engines`: lists engines and models, with the reason if one is unavailable. */
export function addEngineCommands(program: Command): void {
  program
    .command('engines')
    .description('list the engines and models of this server and their state')
    .action(async (_options: object, command: Command) => {
      const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: loadConfig().engines });
      const models = registry.describeModels();
      const engines = registry.describeEngines();
      print(command, { models, engines, broken: registry.broken }, () => {
        const listed = formatTable(
          ['model', 'engine', 'ability', 'version', 'languages', 'state'],
          [
            ...models.map((model) => [
              model.name,
              model.engine,
              model.ability,
              model.version,
              Object.keys(model.capabilities.languages).join(','),
              model.reason ?? stateOf(model, models),
            ]),
            ...registry.broken.map(({ name, reason }) => ['', name, '', '', '', reason]),
          ],
        );
        const ranked = engines.map(({ ability, engine, reason }) => [ability, engine, reason ?? 'available']);
        return `${listed}\n\n${formatTable(['ability, best first', 'engine', 'state'], ranked)}`;
      });
    });
}
