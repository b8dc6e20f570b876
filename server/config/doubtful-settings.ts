import type { Config } from './config.ts';
import { describeUnknownVariables } from './unknown-variables.ts';

/** One sentence for each setting that is valid but is probably not what was meant. */
export function describeDoubts(config: Config, environment: NodeJS.ProcessEnv = process.env): string[] {
  return [...describeUnknownVariables(environment), ...describeClassWithoutModels(config)];
}

/**
 * Describes queue classes that no model has. This is a warning and no error: processes get a new
 * setting one after the other, and recordings that were accepted with the former one may still wait
 * for this class.
 */
function describeClassWithoutModels({ roles, queueClasses: { own: ownClass, byModel } }: Config): string[] {
  const classes = [...new Set(Object.values(byModel))];
  if (!roles.includes('transcribe') || ownClass === 'default' || classes.includes(ownClass)) return [];
  const named = classes.length === 0 ? 'which is not set' : `which names ${classes.join(', ')}`;
  return [
    `QUEUE_CLASS is ${ownClass}, but no model has this class in QUEUE_CLASS_MODELS, ${named}: this process gets no recordings unless the processes that accept them have another QUEUE_CLASS_MODELS. Set it alike everywhere.`,
  ];
}
