import { expect, it } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { JYUTPING_IN_TEXT } from './cantonese/jyutping-in-text.ts';
import { PINYIN_IN_TEXT } from './mandarin/pinyin-in-text.ts';
import { readWritten } from './written-syllables.ts';

const ROMANIZATIONS = { cantonese: JYUTPING_IN_TEXT, mandarin: PINYIN_IN_TEXT };

/** The words of a text as they are spoken. */
async function wordsOf(text: string, language: keyof typeof ROMANIZATIONS): Promise<SpokenWord[]> {
  const addReadings = await loadAddReadings();
  return readWritten(splitText(text, language), ROMANIZATIONS[language]).flatMap((piece) => {
    const normalized = normalize(piece, language);
    return normalized === null ? [] : addReadings(normalized).phrases.flatMap(({ words }) => words);
  });
}

/** The syllables of a text as they are spoken, words of other languages in brackets. */
async function spoken(text: string, language: keyof typeof ROMANIZATIONS = 'cantonese'): Promise<string> {
  const words = await wordsOf(text, language);
  return words.map((word) => (word.language === language ? word.reading.join(' ') : `(${word.spokenForm})`)).join(' ');
}

it.each([
  ['ngo5 gam1 jat6', 'ngo5 gam1 jat6'],
  ['Nei5hou2, ngo5 hai6 a3 ming4.', 'nei5 hou2 ngo5 hai6 aa3 ming4'],
  ['ｎｅｉ５ ｈｏｕ２', 'nei5 hou2'],
  ['佢好lek1', 'keoi5 hou2 lek1'],
  ['我 soeng2 heoi3 街市', 'ngo5 soeng2 heoi3 gaai1 si5'],
  ['OK nei5 hou2 嗎', '(O K) nei5 hou2 maa3'],
  ['ngo5 soeng2 sik6 lunch thank you', 'ngo5 soeng2 sik6 (lunch) (thank) (you)'],
  ['你好 nei5 hou2', 'nei5 hou2'],
  ['你好，nei5 hou2。', 'nei5 hou2'],
  ['nei5 hou2 你好', 'nei5 hou2'],
  ['你(nei5)好(hou2)嗎', 'nei5 hou2 maa3'],
  ['我有3個 ngo5 jau5 saam1 go3', 'ngo5 jau5 saam1 go3'],
  ['好OK laa1', 'hou2 (O K) laa1'],
  ['去party lo1', 'heoi3 (party) lo1'],
  ['ngo5 hai6 hou2@hk.com', 'ngo5 hai6 (hou) (two) (at) (H K) (dot) (com)'],
])('%s is spoken as it is scored', async (text, syllables) => {
  expect(await spoken(text)).toBe(syllables);
});

it.each([
  '我hea咗',
  '去7-11',
  'iPhone15',
  '買iPhone se2',
  'A4紙',
  'B2B',
  '5G網絡',
  'T恤',
  'MP3',
  '買K11',
  'V8',
  '我係no2',
  '香港top3',
  'top3',
])('%s has no jyutping', (text) => {
  const pieces = splitText(text, 'cantonese');
  expect(readWritten(pieces, JYUTPING_IN_TEXT)).toEqual(pieces);
});

it.each([
  ['wo3 ai4 ni3', 'wo3 ai4 ni3'],
  ['nǐ hǎo', 'ni2 hao3'],
  ['Nǐhǎo, wǒ xìng Chén.', 'ni2 hao3 wo3 xing4 chen2'],
  ['wǒ hěn hǎo', 'wo3 hen2 hao3'],
  ['xiǎo lǎoshǔ', 'xiao3 lao2 shu3'],
  ['nǐ hǎo, hǎo ma', 'ni2 hao3 hao3 ma5'],
  ['bù shì, bù hǎo', 'bu2 shi4 bu4 hao3'],
  ['xièxie!', 'xie4 xie5'],
  ['shì bù shì', 'shi4 bu5 shi4'],
  ['bùfen bùwèi', 'bu4 fen5 bu4 wei4'],
  ['quánbù shì, gōngbù hòu', 'quan2 bu4 shi4 gong1 bu4 hou4'],
  ['shìbù shì, duìbùqǐ, tābúhuì', 'shi4 bu5 shi4 dui4 bu4 qi3 ta1 bu2 hui4'],
  ["Xī'ān", 'xi1 an1'],
  ['lǜ chá, lv4 cha2', 'lv4 cha2 lv4 cha2'],
  ['nu:3 er2', 'nv3 er2'],
  ['ni3\u200bhao3', 'ni2 hao3'],
  ['他很 bang4', 'ta1 hen3 bang4'],
  ['我爱 Běijīng 的秋天', 'wo3 ai4 bei3 jing1 de5 qiu1 tian1'],
  ['你好 nǐ hǎo', 'ni2 hao3'],
  ['ni3 hao3 你好', 'ni2 hao3'],
  ['我(wǒ)很好', 'wo3 hen2 hao3'],
  ['女儿 nǚ ér', 'nv3 er2'],
])('%s is spoken as pinyin', async (text, syllables) => {
  expect(await spoken(text, 'mandarin')).toBe(syllables);
});

it('a word of pinyin is one word, as it is written', async () => {
  const words = await wordsOf('Nǐhǎo péngyou', 'mandarin');
  expect(words.map(({ written, reading }) => [written, reading])).toEqual([
    ['Nǐhǎo', ['ni2', 'hao3']],
    ['péngyou', ['peng2', 'you5']],
  ]);
  const [daughter] = await wordsOf('nu:3er2', 'mandarin');
  expect([daughter?.written, daughter?.reading]).toEqual(['nu:3er2', ['nv3', 'er2']]);
});

it.each([
  '我在café等你',
  '去7-11',
  'iPhone15',
  'A4纸',
  'B2B',
  '5G网络',
  'MP3',
  '我是no2',
  '全国top3',
  '去Málaga',
  'Panamá.',
  'René',
  'the man',
  'top3',
  '骁龙8 Gen3处理器',
  '支持Gen3/Gen4',
  '小米Mi4手机',
  '升到lv3',
  '用sha1校验',
  '模型Wan2.1',
  '邮箱wang2@qq.com',
  '网址www.qq.com/ma3',
  'ma3.5',
])('%s has no pinyin', (text) => {
  const pieces = splitText(text, 'mandarin');
  expect(readWritten(pieces, PINYIN_IN_TEXT)).toEqual(pieces);
});
