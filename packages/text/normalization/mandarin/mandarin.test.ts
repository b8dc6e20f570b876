import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { isSpaceBetween } from '#text/join-words.ts';
import { parsePinyin } from '#text/syllables/pinyin.ts';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';
import { addPinyin } from './add-pinyin.ts';

const ROWS = readFileSync(new URL('../../testing/tables/mandarin-normalization.tsv', import.meta.url), 'utf8')
  .replace(/\n$/, '')
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));
const MAX_WRONG = Math.floor(ROWS.length * 0.02);

const read = await loadAddReadings();

/** The words of a text with readings, including those of other languages. */
function wordsOf(text: string): SpokenWord[] {
  const piece = normalize(tokenizePiece(text, 'mandarin'), 'mandarin');
  return piece === null ? [] : read(piece).phrases.flatMap(({ words }) => words);
}

const spokenFormOf = (words: readonly SpokenWord[]) =>
  words.reduce(
    (text, { spokenForm }) => text + (text !== '' && isSpaceBetween(text, spokenForm) ? ' ' : '') + spokenForm,
    '',
  );

test('at least 98 % of the table have the expected spoken form', () => {
  const wrong = ROWS.filter(
    ([text = '', spokenForm = '']) => !spokenForm.split(' | ').includes(spokenFormOf(wordsOf(text))),
  );
  const faults = wrong.map(([text = '', spokenForm]) => `${text}: ${spokenFormOf(wordsOf(text))}, not ${spokenForm}`);
  expect(faults.length <= MAX_WRONG ? [] : faults).toEqual([]);
});

test('days, rooms, names with dots and signs behind letters are spoken by what is beside them', () => {
  const spoken = {
    他的生日是5月: '他的生日是五月',
    '他的生日是5/12': '他的生日是五月十二日',
    '会议定在6/9': '会议定在六月九日',
    '答案是5/12': '答案是十二分之五',
    房间号1205: '房间号幺二零五',
    '用Node.js写程序': '用Node点J S写程序',
    '学C#语言': '学C井语言',
  };
  const faults = Object.entries(spoken).filter(([text, spokenForm]) => spokenFormOf(wordsOf(text)) !== spokenForm);
  expect(faults).toEqual([]);
});

const readingOf = (text: string) =>
  wordsOf(text)
    .filter(({ language }) => language === 'mandarin')
    .flatMap(({ reading }) => reading)
    .join(' ');

test('at least 98 % of the table have the expected readings', () => {
  const wrong = ROWS.filter(([text = '', , reading = '']) => !reading.split(' | ').includes(readingOf(text)));
  const faults = wrong.map(([text = '', , reading]) => `${text}: ${readingOf(text)}, not ${reading}`);
  expect(faults.length <= MAX_WRONG ? [] : faults).toEqual([]);
});

test('the table has at least seventy texts', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(70);
  expect(ROWS.every((row) => row.length === 3)).toBe(true);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(...'一不二两三五九十百0123456789.,:/-%$¥年月日点个了着地得儿子們𠮷〇々A a\u202e😀'),
    maxLength: 40,
  }),
);

test('any text gives a valid spoken form', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { written, spokenForm, reading, language } of wordsOf(text)) {
        expect(written).not.toBe('');
        expect(spokenForm).not.toBe('');
        expect(spokenForm).not.toMatch(/\d/);
        if (language !== 'mandarin') continue;
        for (const syllable of reading) expect(syllable).toMatch(/^[a-zê]+[1-5]$/u);
      }
    }),
    { numRuns: 400 },
  );
});

test('adding readings keeps the words and their order', () => {
  const words: SpokenWord[] = ['銀行', 'X', '重庆'].map((spokenForm) => ({
    written: spokenForm,
    spokenForm,
    language: 'mandarin',
    reading: [],
  }));
  const answer = addPinyin(words);
  expect(answer.map(({ spokenForm }) => spokenForm)).toEqual(['銀行', 'X', '重庆']);
  expect(answer.map(({ reading }) => reading.join(' '))).toEqual(['yin2 hang2', '', 'chong2 qing4']);
  expect(answer.every(({ reading }) => reading.every((syllable) => parsePinyin(syllable) !== null))).toBe(true);
});

test('a character whose Simplified form has no reading is read in its Traditional form', () => {
  const rows = [
    ['讌會', 'yan4 hui4'],
    ['嘍儸', 'lou5 luo2'],
    ['好喎', 'hao3 wai1'],
    ['是㗎', 'shi4 ya5'],
  ];
  expect(
    rows.map(([text = '']) =>
      wordsOf(text)
        .flatMap(({ reading }) => reading)
        .join(' '),
    ),
  ).toEqual(rows.map(([, reading]) => reading));
});
