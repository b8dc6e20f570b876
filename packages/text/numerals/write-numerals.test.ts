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
  ['mandarin', '二十三块钱', '23块钱'],
  ['mandarin', '三点半', '3:30'],
  ['english', 'It costs twenty three dollars.', 'It costs $23.'],
  ['english', 'one hundred and twenty eight dollars and fifty cents', '$128.50'],
  ['english', 'In nineteen ninety five, forty-two percent came.', 'In 1995, 42% came.'],
  ['english', 'at nine thirty am', 'at 9:30 am'],
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
  ['mandarin', '一块去吧，一点点，两个'],
  ['english', 'One of us has two, and twenty came.'],
  ['english', 'a hundred and twenty one two three'],
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
