import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineJsonInTurns, parseJsonInTurns } from './json-in-turns.ts';

const LIMITS = { depth: 64, values: 400_000 };
/** Longer than a part. */
const items = (item: string, count = 2_500) => Array.from({ length: count }, () => item).join(',');

async function parse(text: string): Promise<unknown> {
  const { exceeded, lists } = await outlineJsonInTurns(text, LIMITS);
  expect(exceeded).toBeNull();
  return parseJsonInTurns(text, lists);
}

/** The hash of a long text: the difference of two would take minutes to print. */
const short = (text: string) => (text.length < 80 ? text : createHash('sha256').update(text).digest('hex'));

const whenParsed = async (text: string) =>
  parse(text).then(
    (value) => short(JSON.stringify(value)),
    (error: unknown) => (error instanceof SyntaxError ? 'malformed' : String(error)),
  );
const whenParsedAtOnce = (text: string) => {
  try {
    return short(JSON.stringify(JSON.parse(text)));
  } catch {
    return 'malformed';
  }
};

test.each([
  ['a long list', `{"a":[${items('1')}],"b":2}`],
  ['two of them', `{"a":[${items('{"x":[1,2]}')}] , "b" : [ ${items('"],["')} ],"c":[]}`],
  ['two with one name', `{"a":[${items('1')}],"a":[${items('2')}]}`],
  ['a long one before a short one with its name', `{"a":[${items('1')}],"a":[5]}`],
  ['a name in escapes', String.raw`{"\"\u0061[":[${items('"\\"')}]}`],
  ['long texts', `{"a":[${items(`"${'字,'.repeat(1_000)}"`, 300)}]}`],
  ['a list in a list', `{"a":[[${items('1')}],[${items('2')}]]}`],
  ['a list in a field of a field', `{"a":{"b":[${items('1')}]}}`],
  ['a list outside of an object', `[[${items('1')}],"a",[${items('1')}]]`],
  ['a list without a name', `{[${items('1')}]}`],
  ['a list without its end', `{"a":[${items('1')}`],
  ['a list that ends as an object', `{"a":[${items('1')}}}`],
  ['nothing after a comma', `{"a":[${items('1')},]}`],
  ['nothing before a comma', `{"a":[,${items('1')}]}`],
  ['nothing between two commas', `{"a":[${items('1')},,${items('1')}]}`],
  ['something after the end', `{"a":[${items('1')}]} 1`],
  ['something after a list', `{"a":[${items('1')}] 1}`],
  ['a field of every object', `{"__proto__":[${items('1')}]}`],
])('%s is parsed as in one go', async (_, text) => {
  expect(await whenParsed(text)).toBe(whenParsedAtOnce(text));
});

test('any object with long lists, and any fault in it, is parsed as in one go', async () => {
  const mutated = fc.record({
    value: fc.dictionary(fc.string(), fc.array(fc.jsonValue(), { maxLength: 5 }), { maxKeys: 3 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    mark: fc.constantFrom('', ',', ']', '[', '"', '}', '{', '\\', '1'),
  });
  await fc.assert(
    fc.asyncProperty(mutated, async ({ value, at, mark }) => {
      const long = Object.entries(value).map(([name, list]) => {
        const parts = list.length === 0 ? '' : items(list.map((item) => JSON.stringify(item)).join(','), 1_200);
        return `${JSON.stringify(name)}:[${parts}]`;
      });
      const text = `{${long.join(',')}}`;
      const place = Math.floor(at * text.length);
      const faulty = text.slice(0, place) + mark + text.slice(place);
      const { exceeded } = await outlineJsonInTurns(faulty, LIMITS);
      fc.pre(exceeded === null);
      expect(await whenParsed(faulty)).toBe(whenParsedAtOnce(faulty));
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['an object with very many fields', `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":1`).join(',')}}`],
  ['one of them in a list', `{"a":[{${Array.from({ length: 20_000 }, (_, index) => `"${index}":1`).join(',')}}]}`],
  ['a list in a field of a field', `{"a":{"b":[${items('1', 20_000)}]}}`],
])('%s cannot be parsed in parts, and is refused', async (_, text) => {
  expect((await outlineJsonInTurns(text, LIMITS)).exceeded).toBe('values');
});
