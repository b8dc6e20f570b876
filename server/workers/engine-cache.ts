import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { EngineRegistry } from '@jyutsing/engines/registry';

/** The engines of one process. */
export type EngineCache = {
  registry(): Promise<EngineRegistry>;
  /**
   * Opens the model of a reference, or gives the one that is open. Throws what `registry.open`
   * throws.
   */
  open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>>;
};

/**
 * Models stay open, because loading one takes longer than most requests. Large ones cannot all
 * stay, so the least recently used ones are closed.
 */
const MAX_OPEN_MODELS: Readonly<Partial<Record<Ability, number>>> = { recognizer: 2, synthesizer: 2 };

type Opened = { close(): Promise<void> };

/** Keeps the models of a registry open. The registry is loaded when it is first needed. */
export function createEngineCache(loadRegistry: () => Promise<EngineRegistry>): EngineCache {
  const loaded = new Map<'registry', Promise<EngineRegistry>>();
  const openedByAbility = new Map<Ability, Map<string, Promise<Opened>>>();
  const registry = () => memoizeAsync(loaded, 'registry', loadRegistry);
  return {
    registry,
    async open<A extends Ability>(ref: ModelRef<A>): Promise<OpenedOf<A>> {
      const opened = openedByAbility.get(ref.ability) ?? new Map<string, Promise<Opened>>();
      openedByAbility.set(ref.ability, opened);
      const key = JSON.stringify([ref.engine, ref.model, ref.version]);
      const wanted = memoizeAsync(opened, key, async () => (await registry()).open(ref));
      // The order of the map is the order of last use.
      opened.delete(key);
      opened.set(key, wanted);
      const surplus = opened.size - (MAX_OPEN_MODELS[ref.ability] ?? Infinity);
      for (const [oldKey, old] of [...opened].slice(0, Math.max(0, surplus))) {
        opened.delete(oldKey);
        await old.then((each) => each.close()).catch(() => {});
      }
      // Each ability has its own map, which determines the type.
      return wanted as Promise<OpenedOf<A>>;
    },
  };
}
