import { expect, it } from 'vitest';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { createSpokenJyutping } from './spoken-jyutping.ts';

const TEXTS = [
  '你今日食咗飯未？',
  '銀行行長行過嚟，話佢好行。',
  '我12歲，電話係9123 4567，$128.50。',
  '佢係咪想去睇戲㗎？唔係嘛！',
  '我今日去Starbucks飲coffee，用咗MTR嘅app。',
  '重要嘅嘢要重複講多一次。',
  '7.1遊行嗰日。',
];

it.each(TEXTS)('%s has the readings of its speech', async (text) => {
  const addReadings = await loadAddReadings();
  const spoken = splitText(text, 'cantonese').flatMap((piece) => {
    const normalized = normalize(piece, 'cantonese');
    return normalized === null ? [] : addReadings(normalized).phrases.flatMap(({ words }) => words);
  });
  const expected = spoken.flatMap(({ language, reading }) => (language === 'cantonese' ? reading : []));
  const parts = createSpokenJyutping()(text);
  expect(parts.flatMap(({ jyutping }) => jyutping?.split(' ') ?? [])).toEqual(expected);
  expect(parts.map(({ character }) => character).join('')).toBe(text);
});

it.each([
  ['ngo5 gam1 jat6', 'ngo5 gam1 jat6'],
  ['佢好lek1', 'keoi5 hou2 lek1'],
  ['你好 nei5 hou2', 'nei5 hou2'],
  ['買K11', 'maai5'],
  ['iPhone se2好用', 'ji6 hou2 jung6'],
  ['what does hou2 mean', 'hou2'],
])('%s has the jyutping that it is written with', (text, expected) => {
  const parts = createSpokenJyutping()(text);
  expect(parts.flatMap(({ jyutping }) => jyutping ?? []).join(' ')).toBe(expected);
  expect(parts.map(({ character }) => character).join('')).toBe(text);
});

it.each(['', ' ', '！？', '🙂', 'hello', '\u{d800}'])('%j has no readings', (text) => {
  expect(createSpokenJyutping()(text).filter(({ jyutping }) => jyutping !== null)).toEqual([]);
});
