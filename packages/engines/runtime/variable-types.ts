import { z } from 'zod';

/**
 * Environment variables of one topic, by name. The description of each schema is its meaning; its
 * metadata has `type`, a phrase that follows "must be", and `default` where the default is not a
 * plain value.
 */
export type VariableGroup = { title: string; variables: Readonly<Record<string, z.ZodType>> };

/** Declares a whole number. */
export function integer(fallback: number, min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return z.coerce
    .number()
    .int()
    .min(min)
    .max(max)
    .default(fallback)
    .meta({ type: `a whole number ${range}` });
}

/** Declares a number above zero, such as a duration or a size. */
export function positive(fallback: number, max: number) {
  return z.coerce
    .number()
    .positive()
    .max(max)
    .default(fallback)
    .meta({ type: `a number above 0, at most ${max}` });
}

/** Declares a switch. */
export function flag(fallback: boolean) {
  return z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(['true', 'false', '1', '0']))
    .transform((text) => text === 'true' || text === '1')
    .default(fallback)
    .meta({ type: 'true, false, 1 or 0' });
}

/** Declares one of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(fallback: Words[number], words: Words) {
  return z
    .enum(words)
    .default(fallback as never)
    .meta({ type: `one of ${words.join(', ')}` });
}

/** Declares any text with a default. */
export function text(fallback: string) {
  return z.string().trim().min(1).default(fallback).meta({ type: 'text' });
}

/** Declares any text; null when it is not set. */
export function optionalText(maxLength = 10_000) {
  return z.string().trim().min(1).max(maxLength).nullable().default(null).meta({ type: 'text' });
}

/**
 * Declares the address of a server as it was written; null when it is not set. Addresses appear in
 * logs and messages, so a password in one is refused.
 */
export function optionalAddress() {
  return z
    .url({ protocol: /^https?$/ })
    .regex(/^[^@]*$/)
    .nullable()
    .default(null)
    .meta({ type: 'an http or https address without user name and password' });
}

/** Declares a port to listen on; null when it is not set. */
export function optionalPort() {
  return z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .nullable()
    .default(null)
    .meta({ type: 'a whole number from 0 to 65535' });
}
