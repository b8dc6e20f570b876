import type { Model, RankedCapabilities, Ranking } from '@jyutsing/contracts/engine';

type BuiltinModel<Capabilities> = {
  /** Called when the version is read: it hashes weights, and listing models must be quick. */
  version(): string;
  isAvailable: boolean;
  /** One clause: why the model cannot be used when it is not available. */
  reason: string;
  capabilities: Capabilities;
};

/** The lowest rank, so that a model that an operator pulled or configured comes first. */
export const LOWEST_RANK: RankedCapabilities = { quality: 10 };

/** The list of models of an engine that has one, named like the engine. */
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
