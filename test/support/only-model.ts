import type { Engine, EngineEnv, Model, Ranking } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';

/** The model of an engine that has exactly one. */
export function onlyModel<Capabilities extends Ranking>(
  engine: Engine<string, Capabilities, unknown>,
  env: EngineEnv,
): Model<Capabilities> {
  const [model, ...furtherModels] = engine.models(env);
  if (model === undefined || furtherModels.length > 0)
    throw new AppError('internal_error', 'The engine has not one model.');
  return model;
}
