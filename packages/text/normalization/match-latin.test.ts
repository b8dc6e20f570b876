import { describe, expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { tokenizePiece } from './tokenize.ts';
import type { Token } from './tokens.ts';

const tokensOf = (text: string, language: Language = 'cantonese') =>
  tokenizePiece(text, language).tokens.map(({ token }) => token);

/** A token as text: `letters MTR`, `code A|11`, `roman 4`, otherwise its kind and text. */
function shown(token: Token | undefined): string {
  switch (token?.kind) {
    case 'letters':
      return `letters ${token.letters}${token.plural ? ' plural' : ''}`;
    case 'code':
      return `code ${token.parts.map(({ kind, text }) => (kind === 'latin' ? `(${text})` : text)).join('|')}`;
    case 'roman':
      return `roman ${token.value}`;
    default:
      return token === undefined ? '' : `${token.kind} ${token.text}`;
  }
}

describe('a Latin word', () => {
  test.each([
    ['coffee', 'latin coffee'],
    ["don't", "latin don't"],
    ['don’t', "latin don't"],
    ["o'clock", "latin o'clock"],
    ['iPhone', 'latin iPhone'],
    ['PolyU', 'code (Poly)|U'],
    ['EdUHK', 'code (Ed)|UHK'],
    ['myTV', 'code (my)|TV'],
    ['eMPF', 'code e|MPF'],
    ['mRNA', 'code m|RNA'],
    ['ICAC', 'letters ICAC'],
    ['NASA', 'latin NASA'],
    ['UNESCO', 'latin UNESCO'],
    ['check-in', 'latin check-in'],
    ['mother-in-law', 'latin mother-in-law'],
    ['café', 'latin café'],
    ['naïve', 'latin naïve'],
    ['ｃｏｆｆｅｅ', 'latin coffee'],
    ['e.g.', 'latin e.g.'],
    ['Dr. Wong', 'latin Dr.'],
    ['Mr. Chan', 'latin Mr.'],
    ['No. 5', 'latin No.'],
    ['etc., and', 'latin etc.'],
    ['w/o sugar', 'latin w/o'],
    ['w/ milk', 'latin w/'],
  ])('%s', (text, token) => {
    expect(shown(tokensOf(text)[0])).toBe(token);
  });

  test.each(['etc.', 'No.', 'Ltd.', 'Mon.'])('the point of %s ends a sentence where nothing follows', (text) => {
    expect(tokensOf(text).map(({ kind }) => kind)).toEqual(['latin', 'mark']);
  });

  test('a word of ten thousand letters becomes tokens that together are the text', () => {
    const text = 'ab'.repeat(5_000);
    expect(
      tokensOf(text)
        .map((token) => token.text)
        .join(''),
    ).toBe(text);
  });
});

describe('letters that are read one by one', () => {
  test.each([
    ['MTR', 'letters MTR'],
    ['HKUST', 'letters HKUST'],
    ['mtr', 'letters MTR'],
    ['ok', 'letters OK'],
    ['Ok', 'letters OK'],
    ['U.S.', 'letters US'],
    ['U.S.A.', 'letters USA'],
    ['Ph.D.', 'letters PHD'],
    ['PhD', 'letters PHD'],
    ['iOS', 'letters IOS'],
    ['ATMs', 'letters ATM plural'],
    ['CEOs', 'letters CEO plural'],
    ['USB-C', 'letters USBC'],
    ['XYZ', 'letters XYZ'],
    ['BBC', 'letters BBC'],
  ])('%s', (text, token) => {
    expect(shown(tokensOf(text)[0])).toBe(token);
  });

  test('a single letter, except the words a and I', () => {
    expect(tokensOf('A餐').map(shown)).toEqual(['letters A', 'han 餐']);
    expect(tokensOf('a test').map(shown)).toEqual(['latin a', 'latin test']);
    expect(tokensOf('I see', 'english').map(shown)).toEqual(['latin I', 'latin see']);
    expect(tokensOf('plan B', 'english').map(shown)).toEqual(['latin plan', 'letters B']);
  });

  test('an initial before a surname', () => {
    expect(tokensOf('J. Wong', 'english').map(shown)).toEqual(['letters J', 'latin Wong']);
  });

  test('capitals mean nothing in a text of capitals', () => {
    expect(tokensOf('PLEASE MIND THE PLATFORM GAP', 'english').map(({ kind }) => kind)).toEqual([
      'latin',
      'latin',
      'latin',
      'latin',
      'latin',
    ]);
  });
});

describe('an identifier', () => {
  test.each([
    ['A11', 'code A|11'],
    ['MP3', 'code MP|3'],
    ['COVID-19', 'code (COVID)|19'],
    ['B2B', 'code B|2|B'],
    ['5G', 'code 5|G'],
    ['104X', 'code 104|X'],
    ['7-Eleven', 'code 7|(Eleven)'],
    ['HKTVmall', 'code HKTV|(mall)'],
    ['E22A', 'code E|22|A'],
    ['H7N9', 'code H|7|N|9'],
  ])('%s', (text, token) => {
    expect(shown(tokensOf(text)[0])).toBe(token);
  });

  test.each([
    ['搭104', 'code 104'],
    ['房1203', 'code 1203'],
    ['密碼係8888', 'code 8888'],
    ['編號：12345', 'code 12345'],
    ['Room 1203', 'code 1203'],
    ['Flight 882', 'code 882'],
    ['攞3322', 'code 3322'],
    ['12345678901', 'code 12345678901'],
  ])('the number at the end of %s', (text, token) => {
    expect(shown(tokensOf(text).at(-1))).toBe(token);
  });

  test.each([
    ['1203室', 'code 1203'],
    ['960巴士', 'code 960'],
    ['101號房', 'code 101'],
  ])('the number at the beginning of %s', (text, token) => {
    expect(shown(tokensOf(text)[0])).toBe(token);
  });

  test.each([
    ['搭104次', 'number 104'],
    ['坐100人', 'number 100'],
    ['12000000', 'number 12000000'],
  ])('%s counts', (text, token) => {
    expect(tokensOf(text).map(shown)).toContain(token);
  });

  test('the shop 7-11 is no range', () => {
    expect(shown(tokensOf('7-11買嘢')[0])).toBe('code 7|11');
    expect(tokensOf('7-11歲')[0]?.kind).toBe('range');
  });
});

describe('a Roman numeral', () => {
  test.each([
    ['第IV章', 4],
    ['第XII章', 12],
    ['第IX', 9],
    ['Chapter V', 5],
    ['Part III', 3],
    ['Henry VIII', 8],
    ['World War II', 2],
    ['Louis XIV', 14],
    ['Phase I', 1],
  ])('in %s is %i', (text, value) => {
    expect(tokensOf(text, 'english').map(shown)).toContain(`roman ${value}`);
  });

  test.each(['I', 'VI', 'IV drip', 'size XXX', 'Chapter IVx', 'IIII', 'Vitamin C', 'Chapter IVI'])(
    '%s has none',
    (text) => {
      expect(tokensOf(text, 'english').map(({ kind }) => kind)).not.toContain('roman');
    },
  );
});
