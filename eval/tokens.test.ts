import { describe, expect, it } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { parseUnit, textTokens, unitComparisons } from './tokens.ts';

const tokens = (language: Language, text: string) => textTokens(language, text).join(' ');

describe('textTokens', () => {
  it.each<[Language, string, string]>([
    ['cantonese', '你食咗飯未呀？', '你食咗飯未啊'],
    ['cantonese', '俾我 OK！', '畀我ok'],
    ['cantonese', '我觉得好开心', '我覺得好開心'],
    ['cantonese', '３個，３个', '3個3個'],
    ['mandarin', '這家飯館，很好吃。', '这家饭馆很好吃'],
    ['mandarin', '好吃嗎', '好吃吗'],
    ['english', 'WE CALL IT "BEAR".', 'we call it bear'],
    ['english', "don't", 'don’t'],
    ['english', 'a well-known man', 'a well known man'],
  ])('%s: "%s" equals "%s"', (language, text, same) => {
    expect(tokens(language, text)).toBe(tokens(language, same));
  });

  it('distinguishes different words', () => {
    expect(tokens('cantonese', '你好')).not.toBe(tokens('cantonese', '我好'));
    expect(tokens('english', 'bear')).not.toBe(tokens('english', 'bare'));
  });

  it('gives no tokens for punctuation', () => {
    expect(textTokens('mandarin', '……？！')).toEqual([]);
    expect(textTokens('english', ' -- ')).toEqual([]);
  });
});

describe('parseUnit', () => {
  it.each<[Language, string, string | null]>([
    ['cantonese', 'gwong2', 'gwong2'],
    ['cantonese', 'LA1', 'laa1'],
    ['cantonese', 'gwong7', null],
    ['cantonese', 'gwong', null],
    ['mandarin', 'zhi4', 'zhir4'],
    ['mandarin', 'yuan2', 'van2'],
    ['mandarin', 'lü4', 'lv4'],
    ['mandarin', 'ma', 'ma5'],
    ['mandarin', 'bla4', null],
    ['english', 'aa1', 'AA'],
    ['english', 'AH0', 'AX'],
    ['english', 'ah1', 'AH'],
    ['english', 'QQ', null],
  ])('%s: %s is %s', (language, text, unit) => {
    expect(parseUnit(language, text)).toBe(unit);
  });

  it('syllables are compared with and without tone, phones as they are', () => {
    expect(unitComparisons('mandarin').map(({ what, part }) => [what, part('zhir4')])).toEqual([
      ['syllables with tone', 'zhir4'],
      ['syllables without tone', 'zhir'],
    ]);
    expect(unitComparisons('english').map(({ what, part }) => [what, part('AX')])).toEqual([['phones', 'AX']]);
  });
});
