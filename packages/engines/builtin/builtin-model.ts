import type { Model, RankedCapabilities, Ranking } from '@jyutsing/contracts/engine';

type BuiltinModel<Capabilities> = {
  /**
   * Returns the version; it is only called when the version is read, because it hashes weights, and
   * listing models must be quick.
   */
  version(): string;
  isAvailable: boolean;
  /** A clause that says why the model cannot be used when it is not available. */
  reason: string;
  capabilities: Capabilities;
};

/** The lowest rank, so that a model which an operator pulled or configured comes first. */
export const LOWEST_RANK: RankedCapabilities = { quality: 10 };

/** Makes the list of models of an engine that has one model, named like the engine. */
export function builtinModel<Capabilities extends Ranking>(model: BuiltinModel<Capabilities>): [Model<Capabilities>] {
  const { isAvailable, reason, capabilities } = model;
  return [
    {
      name: 'builtin',
      get version() {
        return model.version();
      },
      capabilities,
      availability: isAvailable ? { available: true } : { available: false, reason },
    },
  ];
}
