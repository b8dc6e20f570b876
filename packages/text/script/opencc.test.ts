import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { Converter as FromSimplified } from 'opencc-js/cn2t';
import * as simplifiedPresets from 'opencc-js/preset/cn2t';
import * as traditionalPresets from 'opencc-js/preset/t2cn';
import { Converter as FromTraditional } from 'opencc-js/t2cn';
import { expect, test } from 'vitest';
import { createConverter } from './opencc.ts';

const CASES = [
  ['s2hk', createConverter(simplifiedPresets, 's2hk'), FromSimplified({ from: 'cn', to: 'hk' })],
  ['hk2s', createConverter(traditionalPresets, 'hk2s'), FromTraditional({ from: 'hk', to: 'cn' })],
  ['tw2s', createConverter(traditionalPresets, 'tw2s'), FromTraditional({ from: 'tw', to: 'cn' })],
] as const;

/** Every dictionary of the presets as one text each: all words and all their neighborhoods. */
const dictionaries = [simplifiedPresets, traditionalPresets].flatMap(({ configs }) =>
  Object.values(configs)
    .flatMap(({ conversionChain }) => conversionChain.flat())
    .filter((dictionary) => typeof dictionary === 'string'),
);
const texts = [
  ...new Set(dictionaries),
  ...['yue.txt', 'cmn.tsv', 'eng.txt'].map((name) =>
    readFileSync(join(import.meta.dirname, `../../../eval/sentences-${name}`), 'utf8'),
  ),
];

test.each(CASES)('%s converts all words of OpenCC and our sentences as opencc-js does', (_name, convert, reference) => {
  expect(texts.join('').length).toBeGreaterThan(400_000);
  for (const text of texts) {
    expect(convert(text) === reference(text)).toBe(true);
    const closed = text.replaceAll(/[ |]/g, '');
    expect(convert(closed) === reference(closed)).toBe(true);
  }
});

test.each(CASES)('%s converts any text as opencc-js does', (_name, convert, reference) => {
  const character = oneof(
    constantFrom(...'系发頭头后後里裏台臺着著乾干⿰⿱⿲⿴木目a '),
    string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  assert(
    property(array(character, { maxLength: 30 }), (characters) => {
      const text = characters.join('');
      expect(convert(text)).toBe(reference(text));
    }),
    { numRuns: 2_000 },
  );
});

test('an unknown preset is refused', () => {
  expect(() => createConverter(simplifiedPresets, 'no-such')).toThrow(RangeError);
});
