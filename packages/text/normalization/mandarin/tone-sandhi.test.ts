import { describe, expect, test } from 'vitest';
import { applySandhi, type Foot, type Syllable } from './tone-sandhi.ts';

/** `你ni3 好hao3|吗ma5`: syllables with spaces between them, feet with bars. */
function parse(text: string): { syllables: Syllable[]; feet: Foot[] } {
  const syllables: Syllable[] = [];
  const feet = text.split('|').map((foot): Foot => {
    const from = syllables.length;
    for (const segment of foot.split(' ').filter(Boolean)) {
      const [, char = '', base = '', tone = ''] = /^(.)([a-z]+)(\d)$/u.exec(segment)!;
      syllables.push({ char, base, tone: Number(tone) });
    }
    return { from, to: syllables.length };
  });
  return { syllables, feet };
}

/** The tones as spoken: `23`. */
function tonesOf(text: string): string {
  const { syllables, feet } = parse(text);
  return applySandhi(syllables, feet)
    .map(({ tone }) => tone)
    .join('');
}

describe('third tones', () => {
  test.each([
    ['你ni3 好hao3', '23', 'the first of two rises'],
    ['很hen3|好hao3', '23', 'between two words too'],
    ['我wo3|很hen3 好hao3', '323', 'a word first, then its neighbor, which no longer precedes a third'],
    ['展zhan3 览lan3 馆guan3', '223', 'left-branching: 展览 馆'],
    ['小xiao3 老lao3 鼠shu3', '323', 'right-branching: 小 老鼠'],
    ['总zong3 经jing1 理li3', '313', 'a first tone between'],
    ['好hao3 人ren2', '32', 'before a second tone'],
    ['老lao3 师shi1', '31', 'before a first tone'],
    ['好hao3 看kan4', '34', 'before a fourth tone'],
    ['好hao3 的de5', '35', 'before a neutral tone'],
    ['水shui3', '3', 'alone'],
    ['岂qi3 有you3 此ci3 理li3', '2323', 'four in two halves'],
    ['买mai3 好hao3 的de5 酒jiu3', '2353', 'the second half does not begin with a third'],
    ['我wo3|有you3|点dian3', '323', 'between words from the right'],
  ])('%s: %s, %s', (text, tones) => {
    expect(tonesOf(text)).toBe(tones);
  });
});

describe('不', () => {
  test.each([
    ['不bu4 是shi4', '24', 'second before a fourth'],
    ['不bu4 好hao3', '43', 'fourth before a third'],
    ['不bu4 来lai2', '42', 'fourth before a second'],
    ['不bu4 吃chi1', '41', 'fourth before a first'],
    ['不bu4', '4', 'fourth alone'],
    ['好hao3|不bu4|好hao3', '353', 'neutral between repetitions'],
    ['是shi4|不bu4|是shi4', '454', 'neutral between repetitions'],
    ['对dui4 不bu5 起qi3', '453', 'a neutral one stays'],
  ])('%s: %s, %s', (text, tones) => {
    expect(tonesOf(text)).toBe(tones);
  });
});

describe('一', () => {
  test.each([
    ['一yi1|个ge4', '24', 'second before a fourth'],
    ['一yi1|样yang4', '24', 'second before a fourth'],
    ['一yi1|天tian1', '41', 'fourth before a first'],
    ['一yi1|年nian2', '42', 'fourth before a second'],
    ['一yi1|起qi3', '43', 'fourth before a third'],
    ['一yi1|个ge5', '25', '个 counts as a fourth tone'],
    ['第di4|一yi1|天tian1', '411', 'first in an ordinal'],
    ['初chu1|一yi1|早zao3', '113', 'first in a date'],
    ['一yi1|月yue4', '14', 'first in a month'],
    ['一yi1|号hao4', '14', 'first in a number of a house'],
    ['一yi1|楼lou2', '12', 'first in a floor'],
    ['十shi2|一yi1|个ge4', '214', 'first after ten'],
    ['二er4|一yi1|三san1', '411', 'first among digits'],
    ['一yi1|九jiu3|九jiu3|八ba1', '1231', 'first in a year'],
    ['统tong3 一yi1', '31', 'first at the end of a word'],
    ['一yi1', '1', 'first alone'],
    ['一yi1|百bai3', '43', 'a hundred'],
    ['一yi1|万wan4', '24', 'ten thousand'],
    ['一yi1|加jia1|一yi1', '111', 'first in a sum'],
    ['看kan4|一yi1|看kan4', '454', 'neutral between repetitions'],
    ['数shu3|一yi1|数shu4|二er4', '3144', 'counts in 数一数二'],
    ['一yi1|点dian3|三san1', '131', 'first before the point of a number'],
    ['一yi1|点dian3|钱qian2', '432', 'a little'],
  ])('%s: %s, %s', (text, tones) => {
    expect(tonesOf(text)).toBe(tones);
  });
});

describe('a verb said twice', () => {
  test.each([
    ['看kan4|看kan4', '45', 'the second is neutral'],
    ['想xiang3|想xiang3', '25', 'after a third tone that changed'],
    ['听ting1|听ting1', '15', 'the second is neutral'],
    ['人ren2|人ren2', '22', 'a noun keeps its tone'],
    ['大da4 学xue2|学xue2 生sheng1', '4221', 'not across two words'],
    ['看kan4|看kan4|看kan4', '444', 'not three times'],
  ])('%s: %s, %s', (text, tones) => {
    expect(tonesOf(text)).toBe(tones);
  });
});

/** All syllables in one foot, and each in its own. */
const feetOf = (length: number) => [
  [{ from: 0, to: length }],
  Array.from({ length }, (_, index) => ({ from: index, to: index + 1 })),
];

describe('in general', () => {
  test('nothing becomes nothing', () => {
    expect(applySandhi([], [])).toEqual([]);
  });

  test('syllables of the caller stay as they are', () => {
    const { syllables, feet } = parse('你ni3 好hao3');
    applySandhi(syllables, feet);
    expect(syllables.map(({ tone }) => tone)).toEqual([3, 3]);
  });

  /** Every sequence of up to five tones, in one foot or each in its own. */
  const sequences = [1, 2, 3, 4, 5].flatMap((length) =>
    Array.from({ length: 5 ** length }, (_, number) => {
      const tones = Array.from({ length }, (_unused, at) => 1 + (Math.floor(number / 5 ** at) % 5));
      return tones.map((tone): Syllable => ({ char: '山', base: 'shan', tone }));
    }),
  );
  test('other characters change only from a third to a second tone, before a third', () => {
    for (const syllables of sequences) {
      for (const feet of feetOf(syllables.length)) {
        applySandhi(syllables, feet).forEach(({ tone, char, base }, index) => {
          const written = syllables[index]!.tone;
          expect([char, base]).toEqual(['山', 'shan']);
          if (tone === written) return;
          expect([written, tone, syllables[index + 1]?.tone]).toEqual([3, 2, 3]);
        });
      }
    }
  });

  test('no two third tones are left side by side in a word', () => {
    for (const syllables of sequences) {
      const spoken = applySandhi(syllables, feetOf(syllables.length)[0]!);
      expect(spoken.map(({ tone }) => tone).join('')).not.toContain('33');
    }
  });
});
