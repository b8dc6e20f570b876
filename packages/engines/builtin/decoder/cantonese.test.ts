import { describe, expect, test } from 'vitest';
import { CANTONESE } from './cantonese.ts';
import { MANDARIN } from './mandarin.ts';
import type { SyllableLanguage } from './syllable-language.ts';

const meantUnits = (language: SyllableLanguage, recognized: string) =>
  language.meantBy(recognized).map(({ unit }) => unit);

const logp = (spoken: string) => CANTONESE.meantBy(spoken)[0]!.logp;

describe('Cantonese syllables', () => {
  test.each([
    ['hoeng1', { onset: 'h', nucleus: 'oe', coda: 'ng', tone: 1 }],
    ['jyut6', { onset: 'j', nucleus: 'yu', coda: 't', tone: 6 }],
    ['aa3', { onset: '', nucleus: 'aa', coda: '', tone: 3 }],
    ['gau2', { onset: 'g', nucleus: 'a', coda: 'u', tone: 2 }],
    ['gaau3', { onset: 'g', nucleus: 'aa', coda: 'u', tone: 3 }],
    ['seoi2', { onset: 's', nucleus: 'eo', coda: 'i', tone: 2 }],
    ['m4', { onset: '', nucleus: '', coda: 'm', tone: 4 }],
    ['ng5', { onset: '', nucleus: '', coda: 'ng', tone: 5 }],
    ['gwok3', { onset: 'gw', nucleus: 'o', coda: 'k', tone: 3 }],
  ])('%s has parts', (unit, parts) => {
    expect(CANTONESE.parts(unit)).toEqual(parts);
  });

  test.each(['', 'x', 'hoeng', 'hoeng0', 'hoeng7', 'bm4', 'zhong1'])('%j is none', (unit) => {
    expect(CANTONESE.parts(unit)).toBeNull();
    expect(CANTONESE.meantBy(unit)).toEqual([]);
  });

  test('a short a without a coda is written aa', () => {
    expect(CANTONESE.unit('g', 'a', 1)).toBe('gaa1');
    expect(CANTONESE.unit('g', 'au', 2)).toBe('gau2');
    expect(CANTONESE.reading('g', 'a', 1)).toBe('ga1');
  });
});

describe('what a speaker of Hong Kong means', () => {
  test.each([
    ['lei5', 'nei5'],
    ['nei5', 'lei5'],
    ['o5', 'ngo5'],
    ['ngo5', 'o5'],
    ['gok3', 'gwok3'],
    ['gwok3', 'gok3'],
    ['m5', 'ng5'],
    ['ng5', 'm5'],
  ])('by %s is also %s', (spoken, unit) => {
    expect(meantUnits(CANTONESE, spoken)).toEqual([unit]);
  });

  test.each(['hoeng1', 'si1', 'jat1', 'faan6', 'gaa1'])('by %s is nothing else', (spoken) => {
    expect(meantUnits(CANTONESE, spoken)).toEqual([]);
  });

  test('lazy sounds are likelier than careful ones, and all less likely than the syllable itself', () => {
    expect(logp('lei5')).toBeGreaterThan(logp('nei5'));
    expect(logp('o5')).toBeGreaterThan(logp('ngo5'));
    for (const spoken of ['lei5', 'nei5', 'o5', 'ngo5', 'gok3', 'gwok3', 'm5']) expect(logp(spoken)).toBeLessThan(0);
  });
});

describe('Mandarin syllables', () => {
  test.each([
    ['zhong1', { onset: 'zh', nucleus: 'o', coda: 'ng' }],
    ['lv4', { onset: 'l', nucleus: 'v', coda: '' }],
    ['er2', { onset: '', nucleus: 'er', coda: '' }],
  ])('%s has parts', (unit, parts) => {
    expect(MANDARIN.parts(unit)).toMatchObject(parts);
  });

  test('shi and si have the same vowel', () => {
    expect(MANDARIN.parts('shi4')?.nucleus).toBe(MANDARIN.parts('si4')?.nucleus);
  });

  test.each([
    ['yi2', 'yi1', [4]],
    ['yi4', 'yi1', [1, 2, 3]],
    ['bu2', 'bu4', [4]],
    ['hao2', 'hao3', [3]],
    ['ni2', 'ni3', [3]],
  ])('%s is %s before the tones %j', (spoken, unit, beforeTones) => {
    expect(MANDARIN.meantBy(spoken)).toContainEqual(expect.objectContaining({ unit, beforeTones }));
  });

  test.each(['hao1', 'hao4'])('%s is no third tone before another one', (spoken) => {
    expect(meantUnits(MANDARIN, spoken)).not.toContain(spoken.replace(/\d/, '3'));
  });

  test('nothing is meant by a text that is no syllable', () => {
    for (const text of ['', 'xyz1', 'hoeng1x', '1']) expect(MANDARIN.meantBy(text)).toEqual([]);
  });
});
