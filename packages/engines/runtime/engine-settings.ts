import type { z } from 'zod';

/**
 * Settings, or the reason for operators why there are none; the reason never contains a variable's
 * value.
 */
export type SettingsOrReason<Settings> = { settings: Settings } | { reason: string };

/**
 * Parses the variables of an engine with a schema, or names the invalid ones. Empty variables count
 * as unset, because deployment files often list every variable.
 */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, string>>,
): SettingsOrReason<z.infer<Schema>> {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')));
  if (parsed.success) return { settings: parsed.data };
  const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  return { reason: `invalid value of ${[...names].join(' and ')}` };
}
