import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ABILITIES, type Ability, type EngineOf, type ModelRef, type OpenedOf } from '@jyutsing/contracts/abilities';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageAbility, ModelCatalog, ModelDescription, ModelQuery } from '@jyutsing/contracts/model-catalog';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import {
  namedModels,
  qualityAt,
  rankModels,
  unavailableError,
  type Candidate,
  type Candidates,
} from './select-model.ts';

export type EngineRegistry = ModelCatalog & {
  /** All engines of an ability, available or not, by name. */
  engines<A extends Ability>(ability: A): readonly EngineOf<A>[];
  /** The model packages that the engines offer for download. */
  readonly packages: readonly ModelPackage[];
  /** Folders of which something could not be loaded, and why. */
  readonly broken: readonly { name: string; reason: string }[];
  /** All available models for a query, best first; otherwise as `select`. */
  selectAll<A extends Ability>(ability: A, query?: ModelQuery): ModelRef<A>[];
  /**
   * The languages of the available models that a name ("auto": any) stands for. Throws as `select`
   * for an unknown name.
   */
  languages(ability: LanguageAbility, model: string): Language[];
  /**
   * Opens exactly the model of a reference. Throws `engine_unavailable` when it is no longer
   * available, and what the engine throws.
   */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
};

/** The folder of the engines of this package. */
export const SHIPPED_ENGINES_DIR = import.meta.dirname;

type Engines = { [A in Ability]: EngineOf<A>[] };
type Found = { engines: Engines; packages: ModelPackage[]; broken: { name: string; reason: string }[] };

/**
 * Finds engines by folder: `<enginesDir>/<name>/<ability>.ts` exports an `engine` of that name and
 * ability, `packages.ts` a list of model packages. A new engine is one new folder; a folder that
 * cannot be imported does not stop the service.
 */
export async function loadEngines(options: { enginesDir: string; env: EngineEnv }): Promise<EngineRegistry> {
  const engines = Object.fromEntries(ABILITIES.map((ability) => [ability, []])) as unknown as Engines;
  const found: Found = { engines, packages: [], broken: [] };
  for (const folder of (await readdir(options.enginesDir)).sort()) {
    const load = async (name: string, add: (file: string) => Promise<unknown>): Promise<void> => {
      const file = join(options.enginesDir, folder, `${name}.ts`);
      // A link to a folder is accepted too, so the entry's own type is not checked.
      if (!existsSync(file)) return;
      try {
        await add(file);
      } catch (thrown) {
        // The message of a failed import holds paths, and this list is shown to users.
        const reason = thrown instanceof AppError ? thrown.message : 'it could not be loaded';
        found.broken.push({ name: folder, reason });
      }
    };
    for (const ability of ABILITIES) {
      await load(ability, (file) => addEngine(found.engines, folder, file, ability));
    }
    await load('packages', async (file) => found.packages.push(...(await loadPackages(file))));
  }
  return createRegistry(found, options.env);
}

async function addEngine<A extends Ability>(engines: Engines, folder: string, file: string, ability: A): Promise<void> {
  const { engine } = (await import(pathToFileURL(file).href)) as { engine?: EngineOf<A> };
  if (engine?.ability !== ability) {
    throw new AppError('engine_unavailable', `its ${ability}.ts exports no ${ability} named "engine"`);
  }
  if (engine.name !== folder) {
    throw new AppError('engine_unavailable', `it calls itself "${engine.name}", which is not the name of its folder`);
  }
  engines[ability].push(engine);
}

async function loadPackages(file: string): Promise<readonly ModelPackage[]> {
  const { packages } = (await import(pathToFileURL(file).href)) as { packages?: readonly ModelPackage[] };
  if (packages === undefined) throw new AppError('engine_unavailable', 'its packages.ts exports no "packages"');
  return packages;
}

function createRegistry({ engines, packages, broken }: Found, env: EngineEnv): EngineRegistry {
  const enginesOf = <A extends Ability>(ability: A): readonly EngineOf<A>[] => engines[ability];
  // Listed anew for every request, so that a model that was downloaded meanwhile is found.
  const candidatesOf = <A extends Ability>(ability: A): Candidates<A> => ({
    ability,
    all: enginesOf(ability).flatMap((engine) => engine.models(env).map((model) => ({ engine, model }))),
    broken,
  });

  return {
    engines: enginesOf,
    packages,
    broken,
    select(ability, query = {}) {
      const candidates = candidatesOf(ability);
      const [best] = rankModels(candidates, query);
      if (best === undefined) throw unavailableError(candidates, query);
      return refOf(ability, best);
    },
    selectAll: (ability, query = {}) =>
      rankModels(candidatesOf(ability), query).map((candidate) => refOf(ability, candidate)),
    languages(ability, model) {
      const usable = namedModels(candidatesOf(ability), { model }).filter((each) => each.model.availability.available);
      return LANGUAGES.filter((language) => usable.some((each) => qualityAt(each.model, language) > 0));
    },
    async open({ ability, engine: name, model }) {
      const engine = enginesOf(ability).find((each) => each.name === name);
      const found = engine?.models(env).find((each) => each.name === model);
      if (engine === undefined || found?.availability.available !== true) {
        throw new AppError('engine_unavailable', `The model "${model}" is no longer available on this server.`);
      }
      return engine.open(env, model);
    },
    describeModels: () =>
      [...describeModels(candidatesOf('recognizer')), ...describeModels(candidatesOf('synthesizer'))].sort(
        (a, b) => Number(b.available) - Number(a.available),
      ),
    describeEngines: () =>
      ABILITIES.filter((ability) => ability !== 'recognizer' && ability !== 'synthesizer').flatMap((ability) =>
        candidatesOf(ability)
          .all.toSorted((a, b) => b.model.capabilities.quality - a.model.capabilities.quality)
          .map(({ engine, model }) => ({ ability, engine: engine.name, version: model.version, ...stateOf(model) })),
      ),
  };
}

function refOf<A extends Ability>(ability: A, { engine, model }: Candidate<A>): ModelRef<A> {
  const { name, version, capabilities } = model;
  return { ability, engine: engine.name, model: name, version, capabilities };
}

function describeModels<A extends LanguageAbility>({ ability, all }: Candidates<A>): ModelDescription[] {
  return all.map(({ engine, model }) => {
    const { name, version } = model;
    // Where a model runs concerns the server alone.
    const { placement: _, ...capabilities } = { placement: null, ...model.capabilities };
    return { name, engine: engine.name, ability, version, capabilities, ...stateOf(model) };
  });
}

function stateOf({ availability }: Candidate<Ability>['model']): { available: boolean; reason: string | null } {
  return { available: availability.available, reason: availability.available ? null : availability.reason };
}
