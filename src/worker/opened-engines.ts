import type { EngineSurroundings, Recognizer, RecognizerChoice } from '#contracts/recognizer.ts';
import type { Synthesizer, SynthesizerChoice } from '#contracts/synthesizer.ts';
import { loadEngines, type EngineRegistry, type RankedAbility } from '#engines/registry.ts';
import { once } from '#runtime/once.ts';

/** Where a worker process finds its engines. */
export type EnginePlace = { enginesDir: string; surroundings: EngineSurroundings };

/** Models stay open: loading one takes longer than most requests. Large ones cannot all stay, so those used longest ago leave. */
const MAX_OPEN_MODELS = 2;
const recognizers = new Map<string, Promise<Recognizer>>();
const synthesizers = new Map<string, Promise<Synthesizer>>();
const registries = new Map<string, Promise<EngineRegistry>>();
const others = new Map<string, Promise<unknown>>();

export function findRegistry({ enginesDir, surroundings }: EnginePlace): Promise<EngineRegistry> {
  return once(registries, JSON.stringify([enginesDir, surroundings]), () => loadEngines({ enginesDir, surroundings }));
}

export function openRecognizer(choice: RecognizerChoice, surroundings: EngineSurroundings): Promise<Recognizer> {
  return openModel(recognizers, choice, surroundings, () => choice.engine.open(surroundings, choice.model.name));
}

export function openSynthesizer(choice: SynthesizerChoice, surroundings: EngineSurroundings): Promise<Synthesizer> {
  return openModel(synthesizers, choice, surroundings, () => choice.engine.open(surroundings, choice.model.name));
}

async function openModel<Opened extends { close(): Promise<void> }>(
  opened: Map<string, Promise<Opened>>,
  { engine, model }: RecognizerChoice | SynthesizerChoice,
  surroundings: EngineSurroundings,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const key = JSON.stringify([surroundings, engine.name, model.name, model.version]);
  const wanted = once(opened, key, open);
  // Last in the map is used last.
  opened.delete(key);
  opened.set(key, wanted);
  for (const [oldKey, old] of [...opened].slice(0, -MAX_OPEN_MODELS)) {
    opened.delete(oldKey);
    await old.then((each) => each.close()).catch(() => {});
  }
  return wanted;
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
