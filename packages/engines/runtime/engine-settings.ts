import type { z } from 'zod';

/**
 * Settings, or the reason for operators why there are none; the reason never contains a variable's
 * value.
 */
export type SettingsOrReason<Settings> = { settings: Settings } | { reason: string };

/** The results for the variables of a process, which every list of models asks for. */
const kept = new WeakMap<z.ZodType, WeakMap<object, SettingsOrReason<unknown>>>();

/**
 * Parses the variables of an engine with a schema, or names the invalid ones. Empty variables count
 * as unset, because deployment files often list every variable. The same objects give the same
 * result, without being parsed again.
 */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, string>>,
): SettingsOrReason<z.infer<Schema>> {
  const ofSchema = kept.get(schema) ?? new WeakMap<object, SettingsOrReason<unknown>>();
  kept.set(schema, ofSchema);
  const present = ofSchema.get(variables);
  if (present !== undefined) return present as SettingsOrReason<z.infer<Schema>>;
  const read = parseVariables(schema, variables);
  ofSchema.set(variables, read);
  return read;
}

function parseVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, string>>,
): SettingsOrReason<z.infer<Schema>> {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')));
  if (parsed.success) return { settings: parsed.data };
  const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  return { reason: `invalid value of ${[...names].join(' and ')}` };
}
