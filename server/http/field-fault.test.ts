import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkFields } from './field-fault.ts';

const nameOf = (path: string) => (path === '' ? 'The body' : `"${path}"`);
const DETECTION = z.discriminatedUnion('type', [
  z.object({ type: z.literal('server_vad') }),
  z.object({ type: z.literal('semantic_vad') }),
]);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is missing.'],
  [z.string(), 5, 'must be text.'],
  [z.number(), 'x', 'must be a number.'],
  [z.number(), Number.NaN, 'must be a number.'],
  [z.int(), 1.5, 'must be a whole number.'],
  [z.boolean(), 'x', 'must be true or false.'],
  [z.record(z.string(), z.unknown()), 'x', 'must be an object.'],
  [z.array(z.string()), {}, 'must be a list.'],
  [z.number().min(10), 5, 'must be at least 10.'],
  [z.number().positive(), 0, 'must be more than 0.'],
  [z.number().max(3), 5, 'must be at most 3.'],
  [z.number().lt(3), 3, 'must be less than 3.'],
  [z.string().min(2), 'a', 'must have at least 2 characters.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry.'],
  [z.enum(['a', 'b', 'c']), 'd', 'must be a, b or c.'],
  [z.literal('a'), 'b', 'must be a.'],
  [z.strictObject({}), { colour: 'red' }, 'has unknown fields: colour.'],
  [z.union([z.string(), z.number()]), true, 'is not valid.'],
  [z.uuid(), 'k', 'must be a UUID.'],
  [z.string().regex(/a/), 'b', 'is not valid.'],
  [z.string({ error: 'must be a name' }), 5, 'must be a name.'],
])('%# a fault is the end of a sentence', (schema, value, expected) => {
  expect(checkFields(schema, value, nameOf)).toEqual({ fault: `The body ${expected}` });
});

test('a kind of object is named by its choices', () => {
  const checked = checkFields(z.object({ detection: DETECTION }), { detection: { type: 'other' } }, nameOf);
  expect(checked).toEqual({ fault: '"detection.type" must be server_vad or semantic_vad.' });
});

test('a value without a fault is parsed', () => {
  expect(checkFields(z.string().trim(), ' a ', nameOf)).toEqual({ fault: null, value: 'a' });
});
