import type { EngineSurroundings, Recognizer, RecognizerChoice } from '#contracts/recognizer.ts';
import { loadEngines, type EngineRegistry, type RankedAbility } from '#engines/registry.ts';
import { once } from '#runtime/once.ts';

/** Where a worker process finds its engines. */
export type EnginePlace = { enginesDir: string; surroundings: EngineSurroundings };

/** Models stay open: loading one takes longer than most recordings. Large ones cannot all stay, so those used longest ago leave. */
const MAX_OPEN_RECOGNIZERS = 2;
const recognizers = new Map<string, Promise<Recognizer>>();
const registries = new Map<string, Promise<EngineRegistry>>();
const others = new Map<string, Promise<unknown>>();

export function findRegistry({ enginesDir, surroundings }: EnginePlace): Promise<EngineRegistry> {
  return once(registries, JSON.stringify([enginesDir, surroundings]), () => loadEngines({ enginesDir, surroundings }));
}

export async function openRecognizer(
  { engine, model }: RecognizerChoice,
  surroundings: EngineSurroundings,
): Promise<Recognizer> {
  const key = JSON.stringify([surroundings, engine.name, model.name, model.version]);
  const recognizer = once(recognizers, key, () => engine.open(surroundings, model.name));
  // Last in the map is used last.
  recognizers.delete(key);
  recognizers.set(key, recognizer);
  for (const [oldKey, old] of [...recognizers].slice(0, -MAX_OPEN_RECOGNIZERS)) {
    recognizers.delete(oldKey);
    await old.then((each) => each.close()).catch(() => {});
  }
  return recognizer;
}

/** Opens an engine of an ability that needs no choice of model; it stays open as long as the process lives. */
export function openEngine<Opened>(
  engine: { ability: RankedAbility; name: string; open(surroundings: EngineSurroundings): Promise<Opened> },
  surroundings: EngineSurroundings,
): Promise<Opened> {
  const key = JSON.stringify([surroundings, engine.ability, engine.name]);
  // The key names the ability, and with it what was opened.
  return once(others, key, () => engine.open(surroundings)) as Promise<Opened>;
}
