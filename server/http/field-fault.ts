import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/**
 * Describes the fault of a field's value, as the end of a sentence that begins with the field's
 * name.
 */
function describeFault(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : 'is not valid';
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : 'is not valid';
    default:
      return 'is not valid';
  }
}

/** Checks a value against its schema; gives the first fault as a sentence, or the parsed value. */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  nameOf: (path: string) => string,
): { fault: string } | { fault: null; value: z.output<Schema> } {
  const parsed = schema.safeParse(value, { error: describeFault });
  if (parsed.success) return { fault: null, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: `${nameOf(issue?.path.join('.') ?? '')} ${issue?.message ?? 'is not valid'}.` };
}

function bound(origin: string, comparison: string, limit: number | bigint): string {
  const units = UNITS[origin];
  if (units === undefined) return `must be ${comparison} ${limit}`;
  return `must have ${comparison} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}`;
}

/** "a, b or c". */
export function oneOf(values: readonly unknown[]): string {
  const named = values.map(String);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}
