import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { isSpaceBetween } from '#text/join-words.ts';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';
import { NAME_ROWS, PERSON_NAMES } from './local-names.ts';
import { addPhones } from './add-phones.ts';

const ROWS = readFileSync(new URL('../../testing/tables/english-normalization.tsv', import.meta.url), 'utf8')
  .replace(/\n$/, '')
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));
const MAX_WRONG = Math.floor(ROWS.length * 0.02);
const ARPABET =
  /^(?:(?:AA|AE|AH|AO|AW|AY|EH|ER|EY|IH|IY|OW|OY|UH|UW)[012]|B|CH|D|DH|F|G|HH|JH|K|L|M|N|NG|P|R|S|SH|T|TH|V|W|Y|Z|ZH)$/;

const read = await loadAddReadings();

/** The words of a text with readings, including those of other languages. */
function wordsOf(text: string): SpokenWord[] {
  const piece = normalize(tokenizePiece(text, 'english'), 'english');
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

const readingOf = (text: string) =>
  wordsOf(text)
    .filter(({ reading }) => reading.length > 0)
    .map(({ written, reading }) => `${written.toLowerCase()}=${reading.join(' ')}`)
    .join('; ');

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
    unit: fc.constantFrom(
      ...'0123456789.,:/-%$£€@#IVXaemopst ABCé\u202e😀好',
      'th',
      'No.',
      'Dr.',
      ' read ',
      '__proto__',
      'constructor',
    ),
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
        const phones = language === 'english' ? reading : [];
        expect(phones.filter((phone) => !ARPABET.test(phone))).toEqual([]);
      }
    }),
    { numRuns: 400 },
  );
});

test('every reading in the tables consists of ARPAbet phones', () => {
  const phones = [...PERSON_NAMES.values(), ...[...NAME_ROWS.values()].flat().flatMap((row) => row.phones)];
  for (const phone of phones.flat()) expect(phone).toMatch(ARPABET);
  for (const { words, phones: wordPhones } of [...NAME_ROWS.values()].flat())
    expect(wordPhones).toHaveLength(words.length);
});

test('adding readings keeps the words and their order', () => {
  const words: SpokenWord[] = ['Mong', 'Kok', 'twelve dollars', 'constructor'].map((spokenForm) => ({
    written: spokenForm,
    spokenForm,
    language: 'english',
    reading: [],
  }));
  const answer = addPhones(words);
  expect(answer.map(({ spokenForm }) => spokenForm)).toEqual(words.map(({ spokenForm }) => spokenForm));
  expect(answer.map(({ reading }) => reading.length > 0)).toEqual([true, true, false, false]);
});
