import { describe, expect, test } from 'vitest';
import { spelledLetters } from './acronyms.ts';

const lettersOf = (word: string, isShouted = false) => spelledLetters(word, isShouted)?.letters ?? null;

describe('read letter by letter', () => {
  test.each([
    ['MTR', 'MTR'],
    ['HKU', 'HKU'],
    ['XYZ', 'XYZ'],
    ['BBC', 'BBC'],
    ['OK', 'OK'],
    ['Ok', 'OK'],
    ['ok', 'OK'],
    ['mtr', 'MTR'],
    ['wfh', 'WFH'],
    ['PhD', 'PHD'],
    ['iOS', 'IOS'],
    ['GHz', 'GHZ'],
    ['USA', 'USA'],
    ['AI', 'AI'],
    ['VIP', 'VIP'],
    ['HTML', 'HTML'],
    ['NGO', 'NGO'],
    ['UAE', 'UAE'],
    ['CUHK', 'CUHK'],
    ['IELP', 'IELP'],
    ['RTHK', 'RTHK'],
  ])('%s', (word, letters) => {
    expect(lettersOf(word)).toBe(letters);
  });

  test.each([
    ['ATMs', 'ATM'],
    ['CEOs', 'CEO'],
    ['DVDs', 'DVD'],
  ])('%s in the plural', (word, letters) => {
    expect(spelledLetters(word, false)).toEqual({ letters, plural: true });
  });
});

describe('read as a word', () => {
  test.each([
    'NASA',
    'UNESCO',
    'COVID',
    'PIN',
    'SIM',
    'THE',
    'IKEA',
    'HELLO',
    'SALE',
    'MONDAY',
    'CENTRAL',
    'KOWLOON',
    'coffee',
    'Coffee',
    'iPhone',
    'I',
    'a',
    '',
    "DON'T",
    'café',
    'ÉCOLE',
    'constructor',
    '__proto__',
    'toString',
    'ABCDEFGHIJKLM',
  ])('%s', (word) => {
    expect(lettersOf(word)).toBeNull();
  });

  test('unknown capitals that nobody could pronounce are spelled, others are words', () => {
    expect(['BRIMA', 'STRADA', 'PLONE', 'ZENIX'].map((word) => lettersOf(word))).toEqual([null, null, null, null]);
    expect(['BRTM', 'XTRADA', 'PLNTRK', 'AEIOT'].map((word) => lettersOf(word))).toEqual([
      'BRTM',
      'XTRADA',
      'PLNTRK',
      'AEIOT',
    ]);
  });

  test('among words in capitals, unless it is a known abbreviation', () => {
    expect(lettersOf('XYZ', true)).toBeNull();
    expect(lettersOf('MTR', true)).toBe('MTR');
  });
});

test('a plural needs a small s', () => {
  expect(spelledLetters('ATMS', false)).toEqual({ letters: 'ATMS', plural: false });
  expect(spelledLetters('As', false)).toBeNull();
});
