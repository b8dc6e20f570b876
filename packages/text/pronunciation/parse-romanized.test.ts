import { describe, expect, it } from 'vitest';
import { readJyutping, readPinyin } from './parse-romanized.ts';

const spoken = (units: ReturnType<typeof readPinyin>) => units?.map(({ text }) => text).join(' ') ?? null;

const pauses = (text: string) => readJyutping(text)!.map(({ afterPause }) => afterPause);

describe('jyutping', () => {
  it.each([
    ['nei5 hou2', 'nei5 hou2'],
    ['nei5hou2', 'nei5 hou2'],
    ['Nei5 HOU2', 'nei5 hou2'],
    ['nei5-hou2', 'nei5 hou2'],
    ['nei5, hou2!', 'nei5 hou2'],
    ['ｎｅｉ５ ｈｏｕ２', 'nei5 hou2'],
    ['  m4 goi1\n', 'm4 goi1'],
    ['ng5 aa3', 'ng5 aa3'],
  ])('%j is %s', (text, syllables) => {
    expect(spoken(readJyutping(text))).toBe(syllables);
  });

  it.each(['', ' ', '...', 'nei hou', 'nei5 hou', 'hello', 'nei5 hello2', 'nei7', 'nei5 好', 'room 5', '55'])(
    '%j is another text',
    (text) => {
      expect(readJyutping(text)).toBeNull();
    },
  );

  it('has a pause at punctuation, but not at a hyphen or bracket, nor before the first syllable', () => {
    expect(pauses('nei5 hou2, nei5 hou2')).toEqual([false, false, true, false]);
    expect(pauses('… nei5 hou2')).toEqual([false, false]);
    expect(pauses('nei5-hou2 (aa3)')).toEqual([false, false, false]);
    expect(pauses('nei5. hou2aa3')).toEqual([false, true, false]);
  });
});

describe('pinyin', () => {
  it.each([
    ['ni3 hao3', 'ni3 hao3'],
    ['ni3hao3', 'ni3 hao3'],
    ['nǐ hǎo', 'ni3 hao3'],
    ['nǐhǎo', 'ni3 hao3'],
    ['Nǐ hǎo!', 'ni3 hao3'],
    ['ni\u030c ha\u030co', 'ni3 hao3'],
    ["xī'ān", 'xi1 an1'],
    ['xiān', 'xian1'],
    ['dōngxi', 'dong1 xi5'],
    ['nǚ’ér', 'nv3 er2'],
    ['nv3 er2', 'nv3 er2'],
    ['nu:3', 'nv3'],
    ['lǜsè', 'lv4 se4'],
    ['zhuāng', 'zhuang1'],
    ['huār', 'hua1'],
    ['huar1', 'hua1'],
    ['yǐ', 'yi3'],
    ['nà er', 'na4 er5'],
    ['ma5', 'ma5'],
    ['shàng hǎi', 'shang4 hai3'],
    ['fāngàn', 'fan1 gan4'],
  ])('%j is %s', (text, syllables) => {
    expect(spoken(readPinyin(text))).toBe(syllables);
  });

  it.each([
    '',
    'ni hao',
    'hello',
    'I am 5',
    'we can see men 5 go to ban gang',
    'ni3 hello',
    'nǐ hello',
    'café',
    'nǐ3',
    'xyz3',
    'ni6',
    'huarr1',
    'huārrr',
    'err4',
    'èrr',
    'ǐ',
    'i3',
    'ün2',
    'uo3',
    '你好',
  ])('%j is another text', (text) => {
    expect(readPinyin(text)).toBeNull();
  });

  it('of a long text without separators is taken apart', () => {
    expect(readPinyin('nǐhǎo'.repeat(200))).toHaveLength(400);
    expect(readPinyin(`${'a'.repeat(500)}ǎ`)).toBeNull();
  });
});

const written = (text: string) =>
  readPinyin(text)
    ?.map((unit) => unit.text)
    .join(' ') ?? null;

describe('pinyin without separators', () => {
  it.each([
    ['nǐhǎo', 'ni3 hao3'],
    ['dōngxi', 'dong1 xi5'],
    ['xiānsheng', 'xian1 sheng5'],
    ['zhōngguórén', 'zhong1 guo2 ren2'],
    ['āyí', 'a1 yi2'],
    ["xī'ān", 'xi1 an1'],
    ['xiān', 'xian1'],
    ['nǚ’ér', 'nv3 er2'],
    ['fāngàn', 'fan1 gan4'],
    ['nǐx', null],
    ['nǐ好', null],
  ])('%s: %j', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  it('of four thousand syllables is read whole', () => {
    expect(readPinyin('nǐhǎo'.repeat(2_000))).toHaveLength(4_000);
    expect(readPinyin(`${'nǐhǎo'.repeat(2_000)}x`)).toBeNull();
  });
});
