import { z } from 'zod';
import { ACCEPTED_AUDIO } from '@jyutsing/contracts/audio';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { LanguageChoice } from '@jyutsing/contracts/transcript';
import { cleanName } from '@jyutsing/text/hidden-characters';
import { ACCEPTED_CHOICES, ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';
import { checkFields, oneOf } from './field-fault.ts';

/**
 * Checks a body, form or query against its schema. Throws `code` with a sentence that names the
 * first bad field; messages of our own schemas continue it ("must be text").
 */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  code: ErrorCode = 'invalid_request',
): z.output<Schema> {
  const checked = checkFields(schema, fields, (path) => (path === '' ? 'The body' : `The field "${path}"`));
  if (checked.fault !== null) throw new AppError(code, checked.fault);
  return checked.value;
}

/** The key as a field of a body; for the documentation, because the pipeline reads the key. */
export const apiKeyField = z.string().optional().describe('API key, when it is not sent in a header.');

/** The audio file of a form; for the documentation. */
export const audioFile = z.file().meta({
  description: `The recording: ${ACCEPTED_AUDIO}. Its content decides, not its name.`,
  format: 'binary',
});

/** A boolean of a form: true, false, 1 or 0 in any case; the default when absent or empty. */
export function formBoolean(description: string, byDefault = false) {
  const switchValue = z.stringbool({
    truthy: ['true', '1'],
    falsy: ['false', '0'],
    error: 'must be true, false, 1 or 0',
  });
  return z
    .preprocess(
      (input) => (typeof input === 'string' && input.trim() === '' ? undefined : input),
      switchValue.default(byDefault),
    )
    .meta({ type: 'boolean', default: byDefault, description });
}

/** A text of a form. Null characters are refused, because PostgreSQL cannot store them. */
export function formText(maxLength: number, description: string) {
  return z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain null characters')
    .describe(description);
}

/** A name that people give: what cannot be seen, or reorders the text around it, is removed. */
export function nameText(maxLength: number, description: string) {
  return formText(maxLength, description).transform(cleanName).meta({ type: 'string', maxLength, description });
}

/** Code points of a text to be synthesized, after trimming. */
export const MAX_TEXT_CHARACTERS = 5_000;

/** JSON Schema keywords of a field, for the documentation. */
type Documented = { description: string; default?: unknown; enum?: readonly (string | null)[]; type?: string[] };

/** A name for people, for the documentation; `checkName` checks it. */
export function nameField(maxLength: number, description: string) {
  return z.string().meta({ maxLength, pattern: VISIBLE_TEXT, description });
}

/** Text without control characters, with one character that can be seen. */
const VISIBLE_TEXT = String.raw`^[^\p{C}]*\S[^\p{C}]*$`;

/**
 * A field of a JSON body that clients write in several ways. `read` returns its value or what is
 * wrong with it. `null` counts as absent, because some clients send every field they know.
 */
function field<Value>(read: (value: unknown) => { value: Value } | { fault: string }, meta: object) {
  return z
    .unknown()
    .optional()
    .transform((input, context): Value => {
      const result = read(input ?? undefined);
      if ('value' in result) return result.value;
      context.addIssue(result.fault);
      return z.NEVER;
    })
    .meta({ ...meta });
}

/** A required text: trimmed, lone surrogates replaced, neither empty nor too long. */
export function textField(description: string, maxCharacters = MAX_TEXT_CHARACTERS) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'must be text') })
    .transform((text) => text.toWellFormed().trim())
    .refine((text) => text !== '', 'is empty')
    .refine(
      // A code point has at most two UTF-16 units, so longer texts need no count.
      (text) => text.length <= 2 * maxCharacters && characterCount(text) <= maxCharacters,
      `must have at most ${maxCharacters} characters`,
    )
    .meta({ minLength: 1, maxLength: maxCharacters, description });
}

/** Unicode code points, the unit in which characters are charged. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** An optional text: trimmed; null when absent or empty. */
export function optionalText(maxCharacters: number, documented: Documented) {
  return field<string | null>(
    (input) => {
      if (input === undefined) return { value: null };
      if (typeof input !== 'string') return { fault: 'must be text' };
      const text = input.toWellFormed().trim();
      if (text.length > 2 * maxCharacters || characterCount(text) > maxCharacters) {
        return { fault: `must have at most ${maxCharacters} characters` };
      }
      return { value: text === '' ? null : text };
    },
    { type: 'string', maxLength: maxCharacters, ...documented },
  );
}

export type Bounds = { min: number; max: number; aboveMin?: boolean; isWhole?: boolean };

/** An optional number, also as text (`0.9` or `"0.9"`); null when absent. */
export function numberField({ min, max, aboveMin = false, isWhole = false }: Bounds, documented: Documented) {
  const fault = `must be a ${isWhole ? 'whole ' : ''}number ${aboveMin ? `above ${min} and at most` : `from ${min} to`} ${max}`;
  return field<number | null>(
    (input) => {
      if (input === undefined) return { value: null };
      const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
      if (typeof value !== 'number') return { fault };
      const isWithin = (aboveMin ? value > min : value >= min) && value <= max;
      return isWithin && (!isWhole || Number.isInteger(value)) ? { value } : { fault };
    },
    {
      type: isWhole ? 'integer' : 'number',
      [aboveMin ? 'exclusiveMinimum' : 'minimum']: min,
      maximum: max,
      ...documented,
    },
  );
}

/**
 * An optional boolean: true, false, 1 or 0, also as text in any case; false when absent or empty.
 */
export function booleanField(description: string) {
  const spellings = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return field<boolean>(
    (input) => {
      const value = isScalar(input) ? spellings.get(String(input).trim().toLowerCase()) : undefined;
      if (input === undefined || (typeof input === 'string' && input.trim() === '')) return { value: false };
      return value === undefined ? { fault: 'must be true, false, 1 or 0' } : { value };
    },
    { type: 'boolean', default: false, description },
  );
}

/**
 * One of `values` in any case, also as a number written like one; null when absent. `readOther`
 * gets any other text in lower case.
 */
export function choiceField<Value extends string>(
  values: readonly Value[],
  documented: Documented,
  readOther: (text: string) => Value | undefined = () => undefined,
) {
  const valuesByName = new Map(values.map((value) => [value.toLowerCase(), value]));
  const fault = `must be ${oneOf(values)}`;
  return field<Value | null>(
    (input) => {
      if (input === undefined) return { value: null };
      const text = isScalar(input) ? String(input).trim().toLowerCase() : null;
      const value = text === null ? undefined : (valuesByName.get(text) ?? readOther(text));
      return value === undefined ? { fault } : { value };
    },
    { type: 'string', enum: [...values], ...documented },
  );
}

/**
 * A language by name or code, in any case; null when absent. `zh` and `Chinese` are Cantonese
 * unless `chinese` is one of the choices. Codes are not documented as values, only described.
 * `accepted` continues "must be" in refusals.
 */
export function languageField<Choice extends LanguageChoice>(
  choices: readonly Choice[],
  documented: Documented,
  accepted?: string,
) {
  const canIdentify = (choices as readonly LanguageChoice[]).includes('chinese');
  const fault = `must be ${accepted ?? (canIdentify ? ACCEPTED_CHOICES : ACCEPTED_LANGUAGES)}`;
  return field<Choice | null>(
    (input) => {
      if (input === undefined) return { value: null };
      const read = isScalar(input) ? readLanguage(String(input)) : null;
      const language = read === 'chinese' && !canIdentify ? 'cantonese' : read;
      const value = choices.find((choice) => choice === language);
      return value === undefined ? { fault } : { value };
    },
    { type: 'string', enum: [...choices], ...documented },
  );
}

/** A value of any type, documented as a text. */
export function anyField(description: string) {
  return z.unknown().optional().meta({ type: 'string', description });
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
