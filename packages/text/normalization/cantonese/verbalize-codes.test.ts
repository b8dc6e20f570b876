import { expect, it } from 'vitest';
import type { CodePart } from '#text/normalization/tokens.ts';
import { verbalizeCode } from './verbalize-codes.ts';

/** `K 11`: parts of digits, of capital letters, and of words. */
function partsOf(code: string): CodePart[] {
  return code.split(' ').map((text) => ({
    kind: /^\d/.test(text) ? 'digits' : /^[A-Z]+$/.test(text) || text === 'x' ? 'letters' : 'latin',
    text,
  }));
}

const spoken = (code: string) =>
  verbalizeCode({ kind: 'code', text: code.replaceAll(' ', ''), parts: partsOf(code) }, '').map(
    ({ language, spokenForm }) => `${language === 'english' ? 'en' : 'yue'}:${spokenForm}`,
  );

it.each([
  // One and two digits are a number; from three on each digit is read.
  ['A 11', ['en:A', 'yue:十一']],
  ['5 G', ['yue:五', 'en:G']],
  ['104', ['yue:一零四']],
  ['1203', ['yue:一二零三']],
  ['104 X', ['yue:一零四', 'en:X']],
  ['B 05', ['en:B', 'yue:零五']],
  ['HKD 7', ['en:H K D', 'yue:七']],
  ['iPhone 17', ['en:iPhone', 'yue:十七']],
  // Thousands and millions are amounts.
  ['100 K', ['yue:一百', 'en:K']],
  ['500 M', ['yue:五百', 'en:M']],
  ['100 KB', ['yue:一零零', 'en:K B']],
  // A multiple.
  ['x 2', ['yue:乘二']],
  ['x 10', ['yue:乘十']],
  // Names that are wholly English.
  ['MP 3', ['en:M P three']],
  ['K 11', ['en:K eleven']],
  ['A 4', ['en:A four']],
  ['B 2 B', ['en:B to B']],
])('%s', (code, words) => {
  expect(spoken(code)).toEqual(words);
});

it('keeps what was written, part by part', () => {
  const words = verbalizeCode({ kind: 'code', text: 'ab12', parts: [...partsOf('ab 12')] }, '');
  expect(words.map(({ written }) => written)).toEqual(['ab', '12']);
});
