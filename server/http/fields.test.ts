import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import {
  booleanField,
  characterCount,
  choiceField,
  formBoolean,
  formText,
  languageField,
  numberField,
  optionalText,
  parseFields,
  textField,
} from './fields.ts';

const DOC = { description: 'a field' };

/** Returns the value that a field reads, or the end of the message that refuses it. */
function read(schema: z.ZodType, input: unknown, isAbsent = false): unknown {
  try {
    return parseFields(z.object({ field: schema }), isAbsent ? {} : { field: input }).field;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message.replace(/^The field "field"/, '…');
  }
}
const readAbsent = (schema: z.ZodType) => read(schema, undefined, true);

describe('a required text', () => {
  const schema = textField('a text', 5);

  test.each([
    ['abc', 'abc'],
    ['  abc \n', 'abc'],
    ['一二三四五', '一二三四五'],
    ['😀😀😀😀😀', '😀😀😀😀😀'],
    ['   12345   ', '12345'],
    ['\ud800', '\ufffd'],
    ['abcdef', '… must have at most 5 characters.'],
    ['😀😀😀😀😀😀', '… must have at most 5 characters.'],
    ['', '… is empty.'],
    [' \t ', '… is empty.'],
    [null, '… is missing.'],
    [5, '… must be text.'],
    [['abc'], '… must be text.'],
    [{}, '… must be text.'],
  ])('%j: %j', (input, expected) => {
    expect(read(schema, input)).toBe(expected);
  });

  test('is missing', () => {
    expect(readAbsent(schema)).toBe('… is missing.');
  });

  test('of ten million characters is refused', () => {
    expect(read(schema, 'x'.repeat(10_000_000))).toBe('… must have at most 5 characters.');
  });
});

describe('an optional text', () => {
  const schema = optionalText(3, DOC);

  test.each([
    ['abc', 'abc'],
    [' a ', 'a'],
    ['', null],
    ['  ', null],
    [null, null],
    [undefined, null],
    ['abcd', '… must have at most 3 characters.'],
    ['😀😀😀', '😀😀😀'],
    [0, '… must be text.'],
    [false, '… must be text.'],
  ])('%j: %j', (input, expected) => {
    expect(read(schema, input)).toBe(expected);
  });
});

describe('a number', () => {
  const schema = numberField({ min: 0, max: 2 }, DOC);
  const fault = '… must be a number from 0 to 2.';

  test.each([
    [0, 0],
    [2, 2],
    ['0.9', 0.9],
    [' 1 ', 1],
    ['1e0', 1],
    [null, null],
    [undefined, null],
    [2.01, fault],
    [-1, fault],
    ['', fault],
    [' ', fault],
    ['one', fault],
    ['1,5', fault],
    [Number.NaN, fault],
    [Number.POSITIVE_INFINITY, fault],
    ['Infinity', fault],
    [true, fault],
    [[1], fault],
  ])('%j: %j', (input, expected) => {
    expect(read(schema, input)).toBe(expected);
  });

  test('may have to be whole, or above its least', () => {
    expect(read(numberField({ min: 1, max: 9, isWhole: true }, DOC), 2.5)).toBe(
      '… must be a whole number from 1 to 9.',
    );
    const share = numberField({ min: 0, max: 1, aboveMin: true }, DOC);
    expect([read(share, 0), read(share, 0.001)]).toEqual(['… must be a number above 0 and at most 1.', 0.001]);
  });
});

describe('a boolean', () => {
  const fault = '… must be true, false, 1 or 0.';

  test.each([
    [true, true],
    [false, false],
    ['true', true],
    ['TRUE', true],
    [' True ', true],
    ['1', true],
    [1, true],
    ['false', false],
    ['0', false],
    [0, false],
    ['', false],
    [undefined, false],
    ['yes', fault],
    ['2', fault],
    [2, fault],
    [[true], fault],
  ])('of JSON: %j is %j', (input, expected) => {
    expect(read(booleanField('a switch'), input)).toBe(expected);
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['False', false],
    ['0', false],
    ['', false],
    ['  ', false],
    [undefined, false],
    ['yes', fault],
    ['on', fault],
  ])('of a form: %j is %j', (input, expected) => {
    expect(read(formBoolean('a switch'), input)).toBe(expected);
  });
});

describe('a choice', () => {
  const schema = choiceField(['wav', 'MP3', '16000'], DOC, (text) => (text === 'wave' ? 'wav' : undefined));
  const fault = '… must be wav, MP3 or 16000.';

  test.each([
    ['wav', 'wav'],
    ['WAV', 'wav'],
    ['mp3', 'MP3'],
    [' mp3 ', 'MP3'],
    [16_000, '16000'],
    ['wave', 'wav'],
    ['WAVE', 'wav'],
    [null, null],
    [undefined, null],
    ['', fault],
    ['ogg', fault],
    [['wav'], fault],
    ['constructor', fault],
  ])('%j: %j', (input, expected) => {
    expect(read(schema, input)).toBe(expected);
  });
});

describe('a language', () => {
  const speech = languageField(['cantonese', 'english'], DOC);
  const recognition = languageField(['cantonese', 'mandarin', 'english', 'chinese', 'auto'], DOC);

  test.each([
    ['cantonese', 'cantonese'],
    ['YUE', 'cantonese'],
    ['zh-HK', 'cantonese'],
    ['zh', 'cantonese'],
    ['Chinese', 'cantonese'],
    ['en-US', 'english'],
    [null, null],
  ])('to speak: %j is %j', (input, expected) => {
    expect(read(speech, input)).toBe(expected);
  });

  test.each([
    ['zh', 'chinese'],
    ['cmn', 'mandarin'],
    ['zh-CN', 'mandarin'],
    ['auto', 'auto'],
  ])('to recognize: %j is %j', (input, expected) => {
    expect(read(recognition, input)).toBe(expected);
  });

  test.each(['mandarin', 'klingon', '', 5, ['en'], {}])('%j is refused with what is accepted', (input) => {
    expect(read(speech, input)).toMatch(/^… must be .*cantonese/);
  });
});

describe('a text of a form', () => {
  test.each([
    ['abc', 'abc'],
    [' a ', ' a '],
    ['', ''],
    ['abcdef', '… must have at most 5 characters.'],
    ['a\0b', '… must not contain null characters.'],
  ])('%j: %j', (input, expected) => {
    expect(read(formText(5, 'a text'), input)).toBe(expected);
  });
});

describe('a message', () => {
  test('names the body when it is no object', () => {
    expect(() => parseFields(z.object({}), 'text')).toThrow('The body must be an object.');
  });

  test('names a field within a list', () => {
    const schema = z.object({ entries: z.array(z.object({ text: z.string({ error: 'must be text' }) })) });
    expect(() => parseFields(schema, { entries: [{ text: 'a' }, {}] })).toThrow(
      'The field "entries.1.text" must be text.',
    );
  });

  test('has the code that the caller chose', () => {
    expect(() => parseFields(z.object({ a: z.string() }), {})).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    expect(() => parseFields(z.object({ a: z.string() }), {}, 'invalid_parameter')).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
  });
});

test.each([
  ['', 0],
  ['abc', 3],
  ['香港', 2],
  ['😀', 1],
  ['👩‍👩‍👧', 5],
  ['\ud83d', 1],
  ['e\u0301', 2],
])('%j has %i characters', (text, count) => {
  expect(characterCount(text)).toBe(count);
});
