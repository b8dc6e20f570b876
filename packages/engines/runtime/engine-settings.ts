import type { z } from 'zod';

/** Either settings, or the reason why there are none: one sentence for the operator, without any value in it. */
export type SettingsOrReason<Settings> = { settings: Settings } | { reason: string };

/**
 * The variables of an engine as a schema reads them, or which of them cannot be used. One that is set to nothing is not set: deployment
 * files often have every variable.
 */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, string>>,
): SettingsOrReason<z.infer<Schema>> {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')));
  if (parsed.success) return { settings: parsed.data };
  const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  return { reason: `${[...names].join(' and ')} cannot be used as it is set` };
}
