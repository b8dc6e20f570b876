import { AppError } from '@jyutsing/contracts/errors';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { ChooseModel } from '#features/synthesis/speech.ts';

/**
 * Chooses among the models of a registry; `usual` is the model of requests and voices that name
 * none. A voice whose model does not know the language is spoken by the usual one.
 */
export function createChooser(engines: Pick<EngineRegistry, 'select'>, usual: string): ChooseModel {
  return (language, requested, { accountId, engine }) => {
    const query = { language, clones: accountId !== null };
    if (requested === 'auto' && engine !== null) {
      try {
        return engines.select('synthesizer', { ...query, model: engine });
      } catch (refusal) {
        if (!(refusal instanceof AppError && refusal.code === 'invalid_parameter')) throw refusal;
      }
    }
    return engines.select('synthesizer', { ...query, model: requested === 'auto' ? usual : requested });
  };
}
