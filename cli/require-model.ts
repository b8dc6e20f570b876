import type { Jyutsing } from '@jyutsing/client';
import { AppError } from '@jyutsing/contracts/errors';

/**
 * Throws `not_found` with the models that can be chosen, unless the service has this one. Without
 * this the service ignores a name that it does not know.
 */
export async function requireModel(
  { models }: Pick<Jyutsing, 'models'>,
  name: string | undefined,
  ability: 'recognizer' | 'synthesizer',
  signal: AbortSignal,
): Promise<void> {
  if (name === undefined || name === 'auto') return;
  const usable = (await models.list({ signal })).filter((model) => model.ability === ability);
  if (usable.some(({ id, engine }) => id === name || engine === name)) return;
  const names = usable.map(({ id }) => id).join(', ');
  throw new AppError('not_found', `The service has no ${ability} "${name}" that can be used now; it has ${names}.`);
}
