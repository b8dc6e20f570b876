import { expect, test } from 'vitest';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { splitIntoUnits } from '../join-words.ts';
import { writeNumerals } from './write-numerals.ts';

function segmentOf(text: string): Segment {
  const times = { startMs: 0, endMs: 10_000, confidence: 0.5 };
  return { text, words: splitIntoUnits({ text, reading: null, ...times }), speaker: null, ...times };
}

const CHANGED: [Language, string, string][] = [
  ['cantonese', '一共一百二十八個五', '一共$128.50'],
  ['cantonese', '要百二八蚊，定係千一蚊？', '要$128，定係$1100？'],
  ['cantonese', '兩蚊同廿蚊', '$2同$20'],
  ['cantonese', '十二蚊半', '$12.50'],
  ['cantonese', '十一萬五千二百蚊', '$115,200'],
  ['cantonese', '三十萬蚊', '$30萬'],
  ['cantonese', '四萬八蚊', '$48,000'],
  ['cantonese', '聽日三點半見', '聽日3:30見'],
  ['cantonese', '十二點零五分', '12:05'],
  ['cantonese', '九點四十五分開會', '9:45開會'],
  ['cantonese', '二零二六年六月三十號', '2026年6月30號'],
  ['cantonese', '九七年回歸', '97年回歸'],
  ['cantonese', '升咗百分之十二點五', '升咗12.5%'],
  ['cantonese', '電話九一二三四五六八', '電話9123 4568'],
  ['cantonese', '佢三十九歲', '佢39歲'],
  ['cantonese', '十分鐘後', '10分鐘後'],
  ['cantonese', '五百五十八個人', '558個人'],
  ['cantonese', '一百二十八蚊五毫子', '$128.50'],
  ['cantonese', '一蚊八毫', '$1.80'],
  ['cantonese', '十五蚊六', '$15.60'],
  ['cantonese', '三蚊七啦', '$3.70啦'],
  ['cantonese', '十蚊三個', '$10三個'],
  ['cantonese', '二十一蚊都得', '$21都得'],
  ['cantonese', '百分之六十五至九十五', '65%至95%'],
  ['cantonese', '百分之五到百分之十', '5%到10%'],
  ['cantonese', '百分之零點五', '0.5%'],
  ['cantonese', '九十percent', '90%'],
  ['cantonese', '二零二六年十一月', '2026年11月'],
  ['cantonese', '二零二六年三月到五月', '2026年3月到5月'],
  ['cantonese', '九七年七月一號', '97年7月1號'],
  ['cantonese', '十月一號至七號', '10月1號至7號'],
  ['cantonese', '十月一號至十一月三號', '10月1號至11月3號'],
  ['cantonese', '九點半到六點', '9:30到6:00'],
  ['cantonese', '兩點到四點半', '2:00到4:30'],
  ['cantonese', '九點半到一間餐廳', '9:30到一間餐廳'],
  ['cantonese', '一小時三十分鐘', '1小時30分鐘'],
  ['cantonese', '一個鐘頭三十分鐘', '1個鐘頭30分鐘'],
  ['cantonese', '二百克糖五克鹽', '200克糖5克鹽'],
  ['cantonese', '二十四小時', '24小時'],
  ['cantonese', '五十呎', '50呎'],
  ['cantonese', '三十七點五度', '37.5度'],
  ['cantonese', '零點五公里', '0.5公里'],
  ['cantonese', '一點五倍', '1.5倍'],
  ['cantonese', '三點五億', '3.5億'],
  ['cantonese', '兩萬三千五百二十一點', '23,521點'],
  ['cantonese', '二百三十五點六', '235.6'],
  ['cantonese', '五歲到十二歲', '5歲到12歲'],
  ['cantonese', '電話二三四五六七八九', '電話2345 6789'],
  ['cantonese', '八五二九一二三四五六七', '852 9123 4567'],
  ['cantonese', '密碼係一二三四', '密碼係1234'],
  ['cantonese', '打九九九', '打999'],
  ['cantonese', '航班CX八八八', '航班CX888'],
  ['cantonese', '車牌AB一二三四', '車牌AB1234'],
  ['cantonese', '十二樓一二零三室', '12樓1203室'],
  ['cantonese', '搭一零四號巴士', '搭104號巴士'],
  ['cantonese', '聽日廿六號', '聽日26號'],
  ['cantonese', '廿五或者廿六號出去', '廿五或者廿六號出去'],
  ['cantonese', '二百港元', '200港元'],
  ['cantonese', '一百到一百五十蚊', '$100到$150'],
  ['cantonese', '十五到二十分鐘', '15到20分鐘'],
  ['cantonese', '三十個percent', '30%'],
  ['cantonese', '三十秒', '30秒'],
  ['cantonese', '三分二十秒', '3分20秒'],
  ['cantonese', '九秒五八', '9秒58'],
  ['cantonese', '早上八時零五分', '早上8時05分'],
  ['cantonese', '三十八度五', '38.5度'],
  ['cantonese', '七點四十五開波', '7:45開波'],
  ['cantonese', '朝早九點半到晚上六點', '朝早9:30到晚上6:00'],
  ['cantonese', '下午三時三十分', '下午3時30分'],
  ['cantonese', '二零二五二六年度', '2025-26年度'],
  ['mandarin', '三时十五分', '3时15分'],
  ['mandarin', '二十三块钱', '23块钱'],
  ['mandarin', '三点半', '3:30'],
  ['english', 'It costs twenty three dollars.', 'It costs $23.'],
  ['english', 'one hundred and twenty eight dollars and fifty cents', '$128.50'],
  ['english', 'In nineteen ninety five, forty-two percent came.', 'In 1995, 42% came.'],
  ['english', 'at nine thirty am', 'at 9:30 am'],
  ['english', 'call nine one two three four five six seven', 'call 9123 4567'],
  ['english', 'ninety nine point nine percent', '99.9%'],
  ['english', 'one million dollars, two point five million dollars', '$1 million, $2.5 million'],
  ['english', 'on the twenty sixth of November', 'on the 26th of November'],
  ['english', 'November twenty second', 'November 22nd'],
  ['english', 'the first of May', 'the 1st of May'],
];

test.each(CHANGED)('%s: %s becomes %s', (language, spoken, written) => {
  expect(writeNumerals(segmentOf(spoken), language).text).toBe(written);
});

const KEPT: [Language, string][] = [
  ['cantonese', '我哋一齊去，一樣咁十分開心'],
  ['cantonese', '千萬唔好，萬一三三兩兩'],
  ['cantonese', '九龍嘅八達通，四川'],
  ['cantonese', '第一，第二十三個，第一百二十八個'],
  ['cantonese', '一兩蚊，三四十蚊，十幾蚊，二百幾蚊，成百蚊，蚊叮'],
  ['cantonese', '住咗七八年，三五年，一兩年'],
  ['cantonese', '三個五，兩個半鐘頭'],
  ['cantonese', '一二三四五六七八九十'],
  ['cantonese', '一百個，一千人，五十分'],
  ['cantonese', '升到四萬八，五至十分鐘，八點半鐘'],
  ['cantonese', '百分之九十幾，三百六十行'],
  ['cantonese', '五蚊銀，一百蚊紙，一蚊都冇，冇一蚊'],
  ['cantonese', '兩蚊三毫半'],
  ['cantonese', '百分之五至十幾'],
  ['cantonese', '九點到六點，九點半到十點九'],
  ['cantonese', '九點五分，八點五分，五點四度'],
  ['cantonese', '一千零一夜，二八年華，十歲八歲'],
  ['cantonese', '兩三百呎，一點一滴'],
  ['cantonese', '五四三二一，一三五七九'],
  ['cantonese', '十萬八千里，十二萬分感謝，一百二十個放心'],
  ['cantonese', '十點十個字，十點十五個人，三十度五個人'],
  ['cantonese', '十號風球，十二樓梯，五秒，一分一秒，十秒八秒'],
  ['cantonese', '打電話三次，編號三百，五美元'],
  ['mandarin', '一块去吧，一点点，两个'],
  ['english', 'One of us has two, and twenty came.'],
  ['english', 'a hundred and twenty one two three'],
  ['english', 'one two three four five six'],
  ['english', 'in May third parties may first go'],
  ['english', 'the first of many, at this point five people'],
];

test.each(KEPT)('%s: %s stays', (language, text) => {
  const segment = segmentOf(text);
  expect(writeNumerals(segment, language)).toBe(segment);
});

test('a number is one word with the time of its parts', () => {
  const { words } = writeNumerals(segmentOf('要三十蚊呀'), 'cantonese');
  expect(words.map(({ text, startMs, endMs, confidence }) => [text, startMs, endMs, confidence])).toEqual([
    ['要', 0, 2_000, 0.5],
    ['$30', 2_000, 8_000, 0.5],
    ['呀', 8_000, 10_000, 0.5],
  ]);
});

test('a number that ends inside a timed word stays', () => {
  const segment: Segment = {
    ...segmentOf('三十蚊呀'),
    words: segmentOf('x').words.map((w) => ({ ...w, text: '蚊呀' })),
  };
  expect(writeNumerals(segment, 'cantonese')).toMatchObject({ text: '三十蚊呀', words: segment.words });
});

test('segments without words change too', () => {
  expect(writeNumerals({ ...segmentOf('三十蚊'), words: [] }, 'cantonese')).toMatchObject({ text: '$30', words: [] });
});

test('a long text of numbers ends', () => {
  const text = '一百零'.repeat(20_000);
  expect(writeNumerals({ ...segmentOf('係'), text, words: [] }, 'cantonese').text.length).toBeLessThanOrEqual(
    text.length,
  );
});
