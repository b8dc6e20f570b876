import { expect, test } from 'vitest';
import { cleanName, HIDDEN_CONTROL, isVisible } from './hidden-characters.ts';

test.each(['a', '文', '\u{20BB7}', '。', '👩🏽‍🚀', '❤️', '한', 'ـ', '\u200bא', '\u{E000}', 'e\u0301'])(
  '%j is visible',
  (text) => {
    expect(isVisible(text)).toBe(true);
  },
);

test.each([
  '',
  ' ',
  '\u3000',
  '\u200b',
  '\u00ad',
  '\u200d',
  '\ufe0f',
  '\u115f',
  '\u3164',
  '\uffa0',
  '\u2800',
  '\u0301',
  '\0',
])('%j is not visible', (text) => {
  expect(isVisible(text)).toBe(false);
});

test.each(['\0', '\n', '\u0085', '\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069'])(
  '%j is a hidden control',
  (text) => {
    expect(HIDDEN_CONTROL.test(`a${text}b`)).toBe(true);
  },
);

test.each(['\u200c', '\u200d', '\u200e', '\u202f', '\u2065', '\u206a', ' ', '文'])('%j is not', (text) => {
  expect(HIDDEN_CONTROL.test(`a${text}b`)).toBe(false);
});

test.each([
  [' 例會　第一次 ', '例會　第一次'],
  ['a\r\n\tb\u2028c', 'a b c'],
  ['invoice\u202egpj.exe\u2066', 'invoicegpj.exe'],
  ['\0\u001b[31mred\u0085', '[31mred'],
  ['a\ud800', 'a\ufffd'],
  ['\u202e\u200b \n', ''],
  ['👩🏽\u200d🚀', '👩🏽\u200d🚀'],
])('%j as a name is %j', (text, name) => {
  expect(cleanName(text)).toBe(name);
});
