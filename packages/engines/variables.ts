import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VariableGroup } from './runtime/variable-types.ts';

/**
 * The variables of the shipped engines: an engine folder with variables has a file `variables.ts`
 * that exports `variableGroups`.
 */
export const ENGINE_VARIABLE_GROUPS: readonly VariableGroup[] = (
  await Promise.all(
    readdirSync(import.meta.dirname)
      .toSorted()
      .map((folder) => join(import.meta.dirname, folder, 'variables.ts'))
      .filter((file) => existsSync(file))
      .map(
        async (file) =>
          ((await import(pathToFileURL(file).href)) as { variableGroups: VariableGroup[] }).variableGroups,
      ),
  )
).flat();
