import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { loadEngines, type EngineRegistry } from '@jyutsing/engines/registry';

/** Where a process finds its engines. */
export type EngineLocation = { enginesDir: string; env: EngineEnv };

/**
 * Models stay open, because loading one takes longer than most requests. Of the large ones, those
 * used longest ago are closed.
 */
const MAX_OPEN_MODELS: Readonly<Partial<Record<Ability, number>>> = { recognizer: 2, synthesizer: 2 };

type Opened = { close(): Promise<void> };
const registries = new Map<string, Promise<EngineRegistry>>();
const openedByAbility = new Map<Ability, Map<string, Promise<Opened>>>();

/** Opens the model of a reference, or gives the one that is open already. Throws what `registry.open` throws. */
export async function openModel<A extends Ability>(
  { enginesDir, env }: EngineLocation,
  ref: ModelRef<A>,
): Promise<OpenedOf<A>> {
  const opened = openedByAbility.get(ref.ability) ?? new Map<string, Promise<Opened>>();
  openedByAbility.set(ref.ability, opened);
  const registryKey = JSON.stringify([enginesDir, env]);
  const key = JSON.stringify([registryKey, ref.engine, ref.model, ref.version]);
  const wanted = memoizeAsync(opened, key, async () => {
    const registry = await memoizeAsync(registries, registryKey, () => loadEngines({ enginesDir, env }));
    return registry.open(ref);
  });
  // The map is ordered by last use.
  opened.delete(key);
  opened.set(key, wanted);
  const surplus = opened.size - (MAX_OPEN_MODELS[ref.ability] ?? Infinity);
  for (const [oldKey, old] of [...opened].slice(0, Math.max(0, surplus))) {
    opened.delete(oldKey);
    await old.then((each) => each.close()).catch(() => {});
  }
  // The key names the ability, and with it the type of what was opened.
  return wanted as Promise<OpenedOf<A>>;
}
