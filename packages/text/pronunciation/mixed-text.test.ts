import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { rowsOf, spokenSyllables } from '#test/pronunciation-targets.ts';

/** Text and expected units; see `spokenSyllables`. */
const CANTONESE = `
nei5 hou2 嗎: nei5 hou2 maa3/maa1
Nei5 hou2，嗎: nei5 hou2 | maa3/maa1
佢好lek1: keoi5 hou2 lek1
我 soeng2 heoi3 街市: ngo5 soeng2 heoi3 gaai1 si5
你好 nei5 hou2: nei5 hou2
nei5 hou2 你好: nei5 hou2
你nei5好hou2: nei5 hou2
你(nei5)好(hou2)嗎: nei5 | hou2/hou3 | maa3/maa1
我有3個 ngo5 jau5 saam1 go3: ngo5 jau5 saam1 go3
我想去銅鑼灣 tung4 lo4 waan1 食飯: ngo5 soeng2 heoi3 tung4 lo4 waan1 sik6 faan6
OK nei5 hou2 嗎: ou1 kei1 nei5 hou2 maa3/maa1
香港top3大學: hoeng1 gong2 (top) saam1 daai6 hok6
我要A4紙: ngo5 jiu3 (A four) zi2
第Ⅳ章: dai6 sei3 zoeng1
我要寄 résumé: ngo5 jiu3 gei3 (résumé)
`;

const MANDARIN = `
ni3 hao3 吗: ni2/ni3 hao3 ma5
nǐ hǎo 吗: ni2/ni3 hao3 ma5
nǐhǎo吗？: ni2/ni3 hao3 ma5
你hao3: ni3/ni2 hao3
我 hen3 hao3: wo3/wo2 hen2/hen3 hao3
不 qu4: bu4/bu2 qu4
我想 qu4 北京: wo2/wo3 xiang3 qu4 bei3 jing1
你好吗？nǐ hǎo ma?: ni2/ni3 hao3 ma5
我去 Málaga: wo3 qu4 (Málaga)
`;

describe('a text of characters and romanized syllables has both, and readings of its characters once', () => {
  it.each(rowsOf(CANTONESE))('%s', async (text, expected) => {
    expect(await spokenSyllables(text, 'cantonese')).toBe(expected);
  });

  it.each(rowsOf(MANDARIN))('%s', async (text, expected) => {
    expect(await spokenSyllables(text, 'mandarin')).toBe(expected);
  });
});

describe('romanization of the other language is refused', () => {
  it.each([
    ['nei5 hou2', 'mandarin'],
    ['nei5 gwo2', 'mandarin'],
    ['jau5', 'mandarin'],
    ['m4 goi1', 'mandarin'],
    ['你好 nei5 hou2', 'mandarin'],
    ['ni3 hao3', 'cantonese'],
    ['hao3', 'cantonese'],
    ['nǐ hǎo', 'cantonese'],
    ['lv4 se4', 'cantonese'],
    ['你好 ni3 hao3', 'cantonese'],
  ] as const)('%s in %s', async (text, language) => {
    const refusal = await spokenSyllables(text, language).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    const other = language === 'cantonese' ? 'mandarin' : 'cantonese';
    expect(refusal).toMatchObject({ code: 'text_not_readable', message: expect.stringContaining(`language=${other}`) });
  });

  it.each([
    ['hou2', 'mandarin', 'hou2'],
    ['gong2 hai4', 'mandarin', 'gong2 hai4'],
    ['ma5', 'mandarin', 'ma5'],
    ['ni3', 'cantonese', 'ni3'],
    ['bei3 gaau3', 'cantonese', 'bei3 gaau3'],
    ['U2', 'mandarin', '(U) er4'],
  ] as const)('%s, which both have or neither, is read in %s', async (text, language, expected) => {
    expect(await spokenSyllables(text, language)).toBe(expected);
  });
});
