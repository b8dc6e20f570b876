import { describe, expect, it } from 'vitest';
import { pinyin } from 'pinyin-pro';
import { parsePinyin } from '#text/syllables/pinyin.ts';
import { acceptedPinyin, type PinyinCharacter } from './accepted-pinyin.ts';
import { ALWAYS_NEUTRAL, OPTIONALLY_NEUTRAL, POLYPHONIC, REGIONAL } from './pinyin-variants.ts';

describe('the lists of readings', () => {
  it.each([
    ['in use', POLYPHONIC],
    ['by region', REGIONAL],
  ])('%s have one character with several different syllables each', (_name, list) => {
    expect(list.size).toBeGreaterThan(50);
    const wrong = [...list].filter(
      ([char, { readings }]) =>
        !/^\p{Script=Han}$/u.test(char) ||
        new Set(readings).size < Math.max(2, readings.length) ||
        readings.some((reading) => parsePinyin(reading) === null),
    );
    expect(wrong).toEqual([]);
  });

  it('begin with a reading of the dictionary', () => {
    const unknown = [...POLYPHONIC, ...REGIONAL].filter(([char, { readings }]) => {
      const listed = pinyin(char, { type: 'array', toneType: 'num', v: true, multiple: true });
      // The dictionary writes the neutral tone as 0.
      return !listed.map((listedReading) => listedReading.replace('0', '5')).includes(readings[0]!);
    });
    // The dictionary has 嗯 as it sounds: ng.
    expect(new Set(unknown.map(([char]) => char))).toEqual(new Set(['嗯']));
  });

  it('have words of several characters with a syllable that may be neutral', () => {
    for (const word of OPTIONALLY_NEUTRAL) expect(word).toMatch(/^\p{Script=Han}{2,3}$/u);
    for (const char of ALWAYS_NEUTRAL) expect([...char]).toHaveLength(1);
  });
});

/** One clause of words, each written with its readings: `你好 ni2 hao3`. */
function accept(...words: string[]): string[] {
  const characters = words.flatMap((entry): PinyinCharacter[] => {
    const [word = '', ...readings] = entry.split(' ');
    return [...word].map((char, index) => ({ char, reading: readings[index]!, word, index }));
  });
  return acceptedPinyin(characters).map((readings) => readings.join('/'));
}

describe('accepted readings', () => {
  it.each([
    ['a third tone that sandhi changed', ['你好 ni2 hao3'], ['ni2/ni3', 'hao3']],
    ['a third tone before another one across words', ['我 wo3', '有 you3'], ['wo3/wo2', 'you3']],
    ['no change before another tone', ['我 wo3', '去 qu4'], ['wo3', 'qu4']],
    ['no third tone for a second one', ['人 ren2', '好 hao3'], ['ren2', 'hao3']],
    ['一 as it is counted', ['一天 yi4 tian1'], ['yi4/yi1', 'tian1']],
    ['不 that is neutral, in its full tone there', ['好不好 hao3 bu5 hao3'], ['hao3', 'bu5/bu4', 'hao3']],
    ['不 that is neutral before a fourth tone', ['是不是 shi4 bu5 shi4'], ['shi4', 'bu5/bu2', 'shi4']],
    ['不 otherwise as it is', ['不是 bu2 shi4'], ['bu2', 'shi4']],
    ['the full tone of a neutral syllable', ['东西 dong1 xi5'], ['dong1', 'xi5/xi1']],
    ['no full tone of a suffix', ['我们 wo3 men5', '的 de5'], ['wo3', 'men5', 'de5']],
    ['a syllable that may be neutral', ['知道 zhi1 dao4'], ['zhi1', 'dao4/dao5']],
    ['个 after another word in either tone', ['两 liang3', '个 ge4'], ['liang3', 'ge4/ge5']],
    ['but a word that begins with it only as it is', ['我 wo3', '个人 ge4 ren2'], ['wo3', 'ge4', 'ren2']],
    ['readings of other standards in any word', ['星期 xing1 qi1'], ['xing1', 'qi1/qi2']],
    ['other readings of a word of one character', ['一 yi4', '行 xing2'], ['yi4/yi1', 'xing2/hang2']],
    ['no other readings within a word', ['银行 yin2 hang2'], ['yin2', 'hang2']],
    ['some readings only for a character alone', ['好 hao3'], ['hao3/hao4']],
    ['not in a clause', ['好 hao3', '人 ren2'], ['hao3', 'ren2']],
  ])('include %s', (_name, words, expected) => {
    expect(accept(...words)).toEqual(expected);
  });

  it('are none for what is no syllable', () => {
    expect(accept('x x1')).toEqual(['']);
    expect(acceptedPinyin([])).toEqual([]);
  });
});
