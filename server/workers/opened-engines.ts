import type { EngineEnv, Recognizer, RecognizerChoice } from '@jyutsing/contracts/recognizer';
import type { Synthesizer, SynthesizerChoice } from '@jyutsing/contracts/synthesizer';
import { loadEngines, type EngineRegistry, type RankedAbility } from '@jyutsing/engines/registry';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';

/** Where a worker process finds its engines. */
export type EngineLocation = { enginesDir: string; env: EngineEnv };

/** Models stay open: loading one takes longer than most requests. Large ones cannot all stay, so those used longest ago leave. */
const MAX_OPEN_MODELS = 2;
const recognizers = new Map<string, Promise<Recognizer>>();
const synthesizers = new Map<string, Promise<Synthesizer>>();
const registries = new Map<string, Promise<EngineRegistry>>();
const others = new Map<string, Promise<unknown>>();

export function findRegistry({ enginesDir, env }: EngineLocation): Promise<EngineRegistry> {
  return memoizeAsync(registries, JSON.stringify([enginesDir, env]), () => loadEngines({ enginesDir, env }));
}

export function openRecognizer(choice: RecognizerChoice, env: EngineEnv): Promise<Recognizer> {
  return openModel(recognizers, choice, env, () => choice.engine.open(env, choice.model.name));
}

export function openSynthesizer(choice: SynthesizerChoice, env: EngineEnv): Promise<Synthesizer> {
  return openModel(synthesizers, choice, env, () => choice.engine.open(env, choice.model.name));
}

async function openModel<Opened extends { close(): Promise<void> }>(
  opened: Map<string, Promise<Opened>>,
  { engine, model }: RecognizerChoice | SynthesizerChoice,
  env: EngineEnv,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const key = JSON.stringify([env, engine.name, model.name, model.version]);
  const wanted = memoizeAsync(opened, key, open);
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
  engine: { ability: RankedAbility; name: string; open(env: EngineEnv): Promise<Opened> },
  env: EngineEnv,
): Promise<Opened> {
  const key = JSON.stringify([env, engine.ability, engine.name]);
  // The key names the ability, and with it what was opened.
  return memoizeAsync(others, key, () => engine.open(env)) as Promise<Opened>;
}
