import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outlineJson } from './json-outline.ts';

const ROOMY = { depth: 100, values: 10_000 };
const keyIn = (text: string) => outlineJson(text, ROOMY).apiKey;
const exceeded = (text: string, depth: number, values: number) => outlineJson(text, { depth, values }).exceeded;

describe('the key of a body', () => {
  test.each([
    ['{"api_key":"abc"}', 'abc'],
    ['{ "api_key" : "abc" }', 'abc'],
    ['{"text":"x","api_key":"abc"}', 'abc'],
    ['{"api_key":"a","api_key":"b"}', 'b'],
    ['{"api_key":""}', ''],
    ['{"api_key":"abc","text":"half a bo', 'abc'],
    ['{"api_key":"abc', null],
    ['{"api_key":5}', null],
    ['{"api_key":null}', null],
    ['{"a":{"api_key":"abc"}}', null],
    ['[{"api_key":"abc"}]', null],
    ['{"text":"\\"api_key\\":\\"abc\\""}', null],
    ['{"text":"{\\"api_key\\":1","api_key":"abc"}', 'abc'],
    ['{"a":{},"api_key":"abc"}', 'abc'],
    ['{"api_key":"a\\"b"}', null],
    ['"api_key":"abc"', null],
    ['', null],
  ])('%s: %j', (text, key) => {
    expect(keyIn(text)).toBe(key);
  });
});

describe('limits', () => {
  test.each([
    ['[]', 1, 1, null],
    ['[[]]', 1, 9, 'depth'],
    ['{"a":{"b":{}}}', 2, 9, 'depth'],
    ['{"a":{"b":{}}}', 3, 9, null],
    ['[[],[]]', 9, 4, null],
    ['[[],[]]', 9, 3, 'values'],
    ['[1,2,3]', 9, 3, null],
    ['[1,2,3]', 9, 2, 'values'],
    ['"[[[[,,,,"', 0, 0, null],
    ['{"a":"[[[["}', 1, 1, null],
    [']]]][', 1, 9, null],
    ['[[[[', 3, 99, 'depth'],
    // Two strings for each value, as in an object; more of them are no JSON.
    ['{"a":"b","c":"d"}', 1, 2, null],
    ['"" "" "" "" "" ""', 0, 2, null],
    ['"" "" "" "" "" "" ""', 0, 2, 'values'],
  ])('%s within %i levels and %i values: %j', (text, depth, values, expected) => {
    expect(exceeded(text, depth, values)).toBe(expected);
  });

  test.each([
    [`{"x":${'9'.repeat(1_100)}}`, 'digits'],
    [`[1,-0.${'3'.repeat(1_100)}]`, 'digits'],
    [`{"x":${'9'.repeat(900)},"y": ${'9'.repeat(900)}}`, null],
    [`{"x":"${'9'.repeat(1_100)}"}`, null],
    [`{"x":${' '.repeat(1_100)}9}`, null],
    // No number: that it is no JSON either is said by who parses it.
    ['text='.repeat(1_100), null],
  ])('numbers have a thousand digits at most: %#', (text, expected) => {
    expect(exceeded(text, 9, 9)).toBe(expected);
  });

  test('a million brackets end the scan at once', () => {
    expect(exceeded('['.repeat(1_000_000), 50, 1_000)).toBe('depth');
  });
});

describe('strings', () => {
  test.each([
    ['"\\\\"', '[', 'depth'],
    ['"\\""', '[', 'depth'],
    ['"\\\\\\""', '[', 'depth'],
    ['"\\"', '[', null],
    ['"abc', '[', null],
  ])('%s ends where it ends: then %s counts: %j', (string, rest, expected) => {
    expect(exceeded(string + rest, 0, 9)).toBe(expected);
  });

  test('a string of a million backslashes is scanned in time', () => {
    expect(keyIn(`{"a":"${'\\\\'.repeat(500_000)}","api_key":"abc"}`)).toBe('abc');
  });
});

test('any JSON text has the depth that parsing finds', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // In a list, so that the depth is at least one.
      const text = JSON.stringify([value]);
      const depth = depthOf([value]);
      expect(exceeded(text, depth, 1e9)).toBeNull();
      expect(exceeded(text, depth - 1, 1e9)).toBe('depth');
    }),
    { numRuns: 300 },
  );
});
