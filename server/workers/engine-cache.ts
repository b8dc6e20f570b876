import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import type { Ability, ModelRef, OpenedOf } from '@jyutsing/contracts/abilities';
import type { Engines, OpenModel } from '@jyutsing/engines/registry';

/** Models that stay open until it is disposed of. */
export type ModelHold = Disposable & { open: OpenModel };

/** The engines of one process; `open` gives a model that is open already. */
export type EngineCache = Engines & {
  /** For work beside which other work opens models, which must not close those in use. */
  hold(): ModelHold;
};

/**
 * Models stay open, because loading one takes longer than most requests. Large ones cannot all
 * stay, so the least recently used ones are closed, unless they are held.
 */
const MAX_OPEN_MODELS: Readonly<Partial<Record<Ability, number>>> = { recognizer: 2, synthesizer: 2 };

type Opened = { close(): Promise<void> };
/** The order of `opened` is the order of last use; `holders` counts by the same keys. */
type Models = { opened: Map<string, Promise<Opened>>; holders: Map<string, number> };

const keyOf = ({ engine, model, version }: ModelRef<Ability>) => JSON.stringify([engine, model, version]);

/** Keeps models open. The registry is loaded when it is first needed. */
export function createEngineCache(engines: Engines): EngineCache {
  const loaded = new Map<'registry', ReturnType<Engines['registry']>>();
  const byAbility = new Map<Ability, Models>();

  const modelsOf = (ability: Ability): Models => {
    const models = byAbility.get(ability) ?? { opened: new Map(), holders: new Map() };
    byAbility.set(ability, models);
    return models;
  };
  const closeSurplus = async (ability: Ability, keptKey: string | null) => {
    const { opened, holders } = modelsOf(ability);
    const surplus = opened.size - (MAX_OPEN_MODELS[ability] ?? Infinity);
    const closable = [...opened].filter(([key]) => key !== keptKey && !holders.has(key));
    for (const [key, old] of closable.slice(0, Math.max(0, surplus))) {
      opened.delete(key);
      await old.then((engine) => engine.close()).catch(() => {});
    }
  };
  const countHolder = (ref: ModelRef<Ability>, by: 1 | -1) => {
    const { holders } = modelsOf(ref.ability);
    const number = (holders.get(keyOf(ref)) ?? 0) + by;
    if (number === 0) holders.delete(keyOf(ref));
    else holders.set(keyOf(ref), number);
  };
  const open: OpenModel = async <A extends Ability>(ref: ModelRef<A>) => {
    const { opened } = modelsOf(ref.ability);
    const key = keyOf(ref);
    const opening = memoizeAsync(opened, key, () => engines.open(ref) as Promise<Opened>);
    opened.delete(key);
    opened.set(key, opening);
    await closeSurplus(ref.ability, key);
    // Each ability has its own map, which determines the type.
    return opening as Promise<OpenedOf<A>>;
  };

  return {
    registry: () => memoizeAsync(loaded, 'registry', engines.registry),
    open,
    hold() {
      const held = new Map<string, ModelRef<Ability>>();
      let isOver = false;
      return {
        open(ref) {
          const id = `${ref.ability} ${keyOf(ref)}`;
          if (!held.has(id) && !isOver) {
            held.set(id, ref);
            countHolder(ref, 1);
          }
          return open(ref);
        },
        [Symbol.dispose]() {
          isOver = true;
          for (const ref of held.values()) countHolder(ref, -1);
          for (const { ability } of held.values()) void closeSurplus(ability, null);
          held.clear();
        },
      };
    },
  };
}
