import { z } from 'zod';

/** Code points of a text to be spoken, after trimming. */
export const MAX_TEXT_CHARACTERS = 5_000;

/** What the documentation says of a field, in the words of JSON Schema. */
type Documented = { description: string; default?: unknown };

/**
 * A field of a JSON body that clients write in several ways. `read` gives its value, or what is wrong with it. JSON's `null` says as much
 * as a field that is not there: clients send it that write out all they know.
 */
function field<Value>(read: (value: unknown) => { value: Value } | { fault: string }, meta: object) {
  return z
    .unknown()
    .optional()
    .transform((sent, context): Value => {
      const result = read(sent ?? undefined);
      if ('value' in result) return result.value;
      context.addIssue(result.fault);
      return z.NEVER;
    })
    .meta({ ...meta });
}

/** The key as a field, for the documentation: who may send it is decided before the body is looked at. */
export const jsonKeyField = z.string().optional().describe('API key, unless it is in a header.');

/** A text between marks and spaces: trimmed, half pairs of surrogates replaced, neither empty nor too long. */
export function textField(description: string, maxCharacters = MAX_TEXT_CHARACTERS) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'must be text') })
    .transform((text) => text.toWellFormed().trim())
    .refine((text) => text !== '', 'is empty')
    .refine(
      // Long texts are not counted: a character is two units at most.
      (text) => text.length <= 2 * maxCharacters && characterCount(text) <= maxCharacters,
      `must have at most ${maxCharacters} characters`,
    )
    .meta({ minLength: 1, maxLength: maxCharacters, description });
}

/** Characters as they are charged: Unicode code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A text that may be absent or `null`; trimmed, and null when it is empty. */
export function optionalText(maxCharacters: number, documented: Documented) {
  return field<string | null>(
    (sent) => {
      if (sent === undefined) return { value: null };
      if (typeof sent !== 'string') return { fault: 'must be text' };
      const text = sent.toWellFormed().trim();
      if (text.length > 2 * maxCharacters || characterCount(text) > maxCharacters) {
        return { fault: `must have at most ${maxCharacters} characters` };
      }
      return { value: text === '' ? null : text };
    },
    { type: 'string', maxLength: maxCharacters, ...documented },
  );
}

type Bounds = { min: number; max: number; aboveMin?: boolean };

/** A number, also as text (`0.9` or `"0.9"`); null where there is none. */
export function numberField({ min, max, aboveMin = false }: Bounds, documented: Documented) {
  const fault = `must be a number ${aboveMin ? `above ${min} and at most` : `from ${min} to`} ${max}`;
  return field<number | null>(
    (sent) => {
      if (sent === undefined) return { value: null };
      const value = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent;
      if (typeof value !== 'number') return { fault };
      const isWithin = (aboveMin ? value > min : value >= min) && value <= max;
      return isWithin ? { value } : { fault };
    },
    { type: 'number', [aboveMin ? 'exclusiveMinimum' : 'minimum']: min, maximum: max, ...documented },
  );
}

/** true, false, 1 or 0, also as text in any case. Absent: false. */
export function booleanField(description: string) {
  const spellings = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return field<boolean>(
    (sent) => {
      const value = isScalar(sent) ? spellings.get(String(sent).trim().toLowerCase()) : undefined;
      if (sent === undefined) return { value: false };
      return value === undefined ? { fault: 'must be true, false, 1 or 0' } : { value };
    },
    { type: 'boolean', default: false, description },
  );
}

/** One of some words in any case, or a number that is written like one; `aliases` mean one of them. Null where there is none. */
export function choiceField<Value extends string>(
  values: readonly Value[],
  documented: Documented,
  aliases: Readonly<Record<string, Value>> = {},
) {
  const known = new Map<string, Value>(Object.entries(aliases));
  for (const value of values) known.set(value.toLowerCase(), value);
  const fault = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return field<Value | null>(
    (sent) => {
      if (sent === undefined) return { value: null };
      const value = isScalar(sent) ? known.get(String(sent).trim().toLowerCase()) : undefined;
      return value === undefined ? { fault } : { value };
    },
    { type: 'string', enum: [...values], ...documented },
  );
}

/** Anything at all, also `null`; for the documentation a text. */
export function anyField(description: string) {
  return z.unknown().optional().meta({ type: 'string', description });
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
