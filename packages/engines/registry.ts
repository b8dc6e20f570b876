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
  /** Returns all engines of an ability, available or not, by name. */
  engines<A extends Ability>(ability: A): readonly EngineOf<A>[];
  /** The model packages that the engines offer for download. */
  readonly packages: readonly ModelPackage[];
  /** Folders with something that could not be loaded, and the reason. */
  readonly broken: readonly { name: string; reason: string }[];
  /** Returns all available models for a query, best first. Throws the errors of `select`. */
  selectAll<A extends Ability>(ability: A, query?: ModelQuery): ModelRef<A>[];
  /**
   * Returns the languages of the available models that a name stands for; "auto" stands for any.
   * Throws the error of `select` for an unknown name.
   */
  languages(ability: LanguageAbility, model: string): Language[];
  /**
   * Opens exactly the model of a reference. Throws `engine_unavailable` when it is no longer
   * available, and the errors of the engine.
   */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
};

export const SHIPPED_ENGINES_DIR = import.meta.dirname;

/** Opens the model of a reference. Throws what `openModel` throws. */
export type OpenModel = <A extends Ability>(ref: ModelRef<A>) => Promise<OpenedOf<A>>;

/** The engines of a place: the registry knows them all, `open` needs one. */
export type Engines = { registry(): Promise<EngineRegistry>; open: OpenModel };

/** The folder of the engines, and what they are given. Other processes receive copies. */
export type EngineLocation = { enginesDir: string; env: EngineEnv };

type EnginesByAbility = { [A in Ability]: EngineOf<A>[] };
type Found = { engines: EnginesByAbility; packages: ModelPackage[]; broken: { name: string; reason: string }[] };

/**
 * Finds engines by folder: `<enginesDir>/<name>/<ability>.ts` exports an `engine` of that name and
 * ability, `packages.ts` a list of model packages. A new engine is one new folder; a folder that
 * cannot be imported does not stop the service.
 */
export async function loadEngines(options: EngineLocation): Promise<EngineRegistry> {
  const engines = Object.fromEntries(ABILITIES.map((ability) => [ability, []])) as unknown as EnginesByAbility;
  const loaded: Found = { engines, packages: [], broken: [] };
  for (const folder of (await readdir(options.enginesDir)).sort()) {
    const load = async (name: string, add: (file: string) => Promise<unknown>): Promise<void> => {
      const file = join(options.enginesDir, folder, `${name}.ts`);
      // The type of the entry is not checked, because a link to a folder is accepted too.
      if (!existsSync(file)) return;
      try {
        await add(file);
      } catch (thrown) {
        // The message of a failed import contains paths, and users see this list.
        const reason = thrown instanceof AppError ? thrown.message : 'it could not be loaded';
        loaded.broken.push({ name: folder, reason });
      }
    };
    for (const ability of ABILITIES) {
      const list: EngineOf<Ability>[] = engines[ability];
      await load(ability, async (file) => list.push(await importEngine(file, folder, ability)));
    }
    await load('packages', async (file) => loaded.packages.push(...(await loadPackages(file))));
  }
  return createRegistry(loaded, options.env);
}

/**
 * Opens the model of a reference as `EngineRegistry.open` does, without the files of other engines,
 * which take a quarter of a second of a new process.
 */
export async function openModel<A extends Ability>(
  ref: ModelRef<A>,
  { enginesDir, env }: EngineLocation,
): Promise<OpenedOf<A>> {
  const file = join(enginesDir, ref.engine, `${ref.ability}.ts`);
  const engine = await importEngine(file, ref.engine, ref.ability).catch(() => null);
  return openFrom(engine === null ? [] : [engine], ref, env);
}

/** The engines of a folder. */
export function enginesIn(place: EngineLocation): Engines {
  return { registry: () => loadEngines(place), open: (ref) => openModel(ref, place) };
}

async function openFrom<A extends Ability>(engines: readonly EngineOf<A>[], ref: ModelRef<A>, env: EngineEnv) {
  const engine = engines.find(({ name }) => name === ref.engine);
  const model = engine?.models(env).find(({ name }) => name === ref.model);
  if (engine === undefined || model?.availability.available !== true) {
    throw new AppError('engine_unavailable', `The model "${ref.model}" is no longer available on this server.`);
  }
  return engine.open(env, ref.model);
}

async function importEngine<A extends Ability>(file: string, folder: string, ability: A): Promise<EngineOf<A>> {
  const { engine } = (await import(pathToFileURL(file).href)) as { engine?: EngineOf<A> };
  if (engine?.ability !== ability) {
    throw new AppError('engine_unavailable', `its ${ability}.ts exports no ${ability} named "engine"`);
  }
  if (engine.name !== folder) {
    throw new AppError('engine_unavailable', `it calls itself "${engine.name}", which is not the name of its folder`);
  }
  return engine;
}

async function loadPackages(file: string): Promise<readonly ModelPackage[]> {
  const { packages } = (await import(pathToFileURL(file).href)) as { packages?: readonly ModelPackage[] };
  if (packages === undefined) throw new AppError('engine_unavailable', 'its packages.ts exports no "packages"');
  return packages;
}

function createRegistry({ engines, packages, broken }: Found, env: EngineEnv): EngineRegistry {
  const enginesOf = <A extends Ability>(ability: A): readonly EngineOf<A>[] => engines[ability];
  const listed = new Map<Ability, unknown>();
  // Listed anew in each turn of the event loop: a request asks several times, and a list reads
  // files, but a model that was downloaded is found by the next request.
  function candidatesOf<A extends Ability>(ability: A): Candidates<A> {
    if (listed.size === 0) setImmediate(() => listed.clear());
    const list = () => enginesOf(ability).flatMap((engine) => engine.models(env).map((model) => ({ engine, model })));
    if (!listed.has(ability)) listed.set(ability, { ability, all: list(), broken } satisfies Candidates<A>);
    return listed.get(ability) as Candidates<A>;
  }

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
      const usable = namedModels(candidatesOf(ability), { model }).filter(
        (candidate) => candidate.model.availability.available,
      );
      return LANGUAGES.filter((language) => usable.some((candidate) => qualityAt(candidate.model, language) > 0));
    },
    open: (ref) => openFrom(enginesOf(ref.ability), ref, env),
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
    // The placement of a model concerns the server alone.
    const { placement: _, ...capabilities } = { placement: null, ...model.capabilities };
    return { name, engine: engine.name, ability, version, capabilities, ...stateOf(model) };
  });
}

function stateOf({ availability }: Candidate<Ability>['model']): { available: boolean; reason: string | null } {
  return { available: availability.available, reason: availability.available ? null : availability.reason };
}
