import { expect, test } from 'vitest';
import { cpuTimeMs, leastCpuTimeMs } from '#test/cpu-time.ts';
import { termsFromContext, termsOf } from './terms.ts';

const readingsOf = (text: string): string[] =>
  termsOf([{ text, jyutping: null, weight: 1 }]).flatMap(({ readings }) =>
    readings.map((reading) => reading.join(' ')),
  );
const weights = (context: string): Record<string, number> =>
  Object.fromEntries(termsFromContext(context).map(({ text, weight }) => [text, weight]));

test('an entry with jyutping has that reading and no other', () => {
  expect(termsOf([{ text: '行行', jyutping: 'hong4 hang4', weight: 2 }])).toEqual([
    { text: '行行', readings: [['hong4', 'hang4']], weight: 2 },
  ]);
});

test('a text in several entries is one term with all their readings and the highest weight', () => {
  const terms = termsOf([
    { text: '坪洲', jyutping: 'peng4 zau1', weight: 1 },
    { text: '坪洲', jyutping: 'ping4 zau1', weight: 3 },
    { text: '坪洲', jyutping: 'peng4 zau1', weight: 2 },
  ]);
  expect(terms).toEqual([
    {
      text: '坪洲',
      readings: [
        ['peng4', 'zau1'],
        ['ping4', 'zau1'],
      ],
      weight: 3,
    },
  ]);
});

test('a word is read as in context; a name in every likely way', () => {
  expect(readingsOf('銀行')).toEqual(['ngan4 hong4']);
  expect(readingsOf('曾先生')).toEqual(expect.arrayContaining(['zang1 sin1 saang1', 'cang4 sin1 saang1']));
  expect(readingsOf('區小姐')).toEqual(expect.arrayContaining(['au1 siu2 ze2', 'keoi1 siu2 ze2']));
  expect(readingsOf('中文')).toEqual(expect.arrayContaining(['zung1 man2', 'zung1 man4']));
});

test('no text has more than four likely readings, and each has a syllable for every Chinese character', () => {
  for (const text of ['曾樂行會', '區單任查', '香港特別行政區政府', 'T恤店', '𨋢']) {
    const [term] = termsOf([{ text, jyutping: null, weight: 1 }]);
    expect(term?.readings.length).toBeLessThanOrEqual(4);
    const hanCount = (text.match(/\p{Script=Han}/gu) ?? []).length;
    for (const reading of term?.readings ?? []) expect(reading).toHaveLength(hanCount);
  }
});

test('a text that cannot be read in Cantonese is no term', () => {
  expect(termsOf([{ text: 'Google', jyutping: null, weight: 1 }])).toEqual([]);
  expect(termsOf([{ text: '旺角', jyutping: 'wong6', weight: 1 }])).toEqual([]);
});

test('listed phrases of a hint count more than words of its sentences', () => {
  const context = '講者：陳大文、鰂魚涌居民協會；T恤工場\n今日我哋會喺立法會討論財政預算案同埋交通津貼。';
  const found = weights(context);
  expect(found).toMatchObject({ 陳大文: 2, 鰂魚涌居民協會: 2, T恤工場: 2, 立法會: 1, 財政預算案: 1 });
  expect(weights('跟住訪問黃克強同埋啟德站的李家傑醫生')).toMatchObject({ 黃克強: 1, 啟德站: 1, 李家傑: 1 });
  for (const everyday of ['今日', '我哋', '討論', '同埋', '講者']) expect(found).not.toHaveProperty(everyday);
});

test('a sentence is not a term, however short', () => {
  expect(weights('佢喺旺角返工')).not.toHaveProperty('佢喺旺角返工');
});

test('a hint in Simplified gives terms in Hong Kong’s characters; Traditional is kept as written', () => {
  expect(weights('铜锣湾，啟德')).toBeDefined();
  expect(weights('铜锣湾、财政预算案')).toMatchObject({ 銅鑼灣: 2, 財政預算案: 2 });
  expect(weights('黎先生、銅鑼灣')).toMatchObject({ 黎先生: 2 });
});

test('a term occurs once, with its higher weight, and there are at most 500', () => {
  const context = `我想講財政預算案。財政預算案。${Array.from({ length: 900 }, (_, index) => `詞${String.fromCodePoint(0x5000 + index)}`).join('、')}`;
  const terms = termsFromContext(context);
  expect(terms.length).toBeLessThanOrEqual(500);
  expect(terms.filter(({ text }) => text === '財政預算案')).toMatchObject([{ weight: 2 }]);
});

test.each([
  ['nothing', ''],
  ['emoji', '😀👨‍👩‍👧'.repeat(2_000)],
  ['Arabic and Hebrew', 'مرحبا שלום \u{202E}'.repeat(700)],
  ['English', 'the quick brown fox, '.repeat(500)],
  ['halves of characters', '\uD842'.repeat(10_000)],
  ['line breaks', '\n'.repeat(10_000)],
])('a hint of %s gives no term, quickly', async (_, context) => {
  expect(await leastCpuTimeMs(() => expect(termsFromContext(context)).toEqual([]), 500)).toBeLessThan(500);
});

test('a hint without any punctuation takes negligible time', () => {
  termsFromContext('銅鑼灣');
  const startedMs = cpuTimeMs();
  expect(termsFromContext('香港人鍾意飲茶食點心'.repeat(2_000)).length).toBeGreaterThan(0);
  expect(cpuTimeMs() - startedMs).toBeLessThan(3_000);
});
