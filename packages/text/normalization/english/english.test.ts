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
const MOST_WRONG = Math.floor(ROWS.length * 0.02);
const ARPABET =
  /^(?:(?:AA|AE|AH|AO|AW|AY|EH|ER|EY|IH|IY|OW|OY|UH|UW)[012]|B|CH|D|DH|F|G|HH|JH|K|L|M|N|NG|P|R|S|SH|T|TH|V|W|Y|Z|ZH)$/;

const read = await loadAddReadings();

/** The words of a text with readings, those of other languages too. */
function speak(text: string): SpokenWord[] {
  const piece = normalize(tokenizePiece(text, 'english'), 'english');
  return piece === null ? [] : read(piece).phrases.flatMap(({ words }) => words);
}

const saidOf = (words: readonly SpokenWord[]) =>
  words.reduce(
    (text, { spokenForm }) => text + (text !== '' && isSpaceBetween(text, spokenForm) ? ' ' : '') + spokenForm,
    '',
  );

test('what a table of tricky texts says is said so, but for two in a hundred', () => {
  const wrong = ROWS.filter(([text = '', spokenForm = '']) => !spokenForm.split(' | ').includes(saidOf(speak(text))));
  const told = wrong.map(([text = '', spokenForm]) => `${text}: ${saidOf(speak(text))}, not ${spokenForm}`);
  expect(told.length <= MOST_WRONG ? [] : told).toEqual([]);
});

const readingOf = (text: string) =>
  speak(text)
    .filter(({ reading }) => reading.length > 0)
    .map(({ written, reading }) => `${written.toLowerCase()}=${reading.join(' ')}`)
    .join('; ');

test('what a table of tricky texts reads is read so, but for two in a hundred', () => {
  const wrong = ROWS.filter(([text = '', , reading = '']) => !reading.split(' | ').includes(readingOf(text)));
  const told = wrong.map(([text = '', , reading]) => `${text}: ${readingOf(text)}, not ${reading}`);
  expect(told.length <= MOST_WRONG ? [] : told).toEqual([]);
});

test('there are at least seventy texts in the table', () => {
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

test('whatever the text holds, something valid is said of it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { written, spokenForm, reading, language } of speak(text)) {
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

test('every reading in the tables is made of phones of ARPAbet', () => {
  const phones = [...PERSON_NAMES.values(), ...[...NAME_ROWS.values()].flat().flatMap((row) => row.phones)];
  for (const phone of phones.flat()) expect(phone).toMatch(ARPABET);
  for (const { words, phones: each } of [...NAME_ROWS.values()].flat()) expect(each).toHaveLength(words.length);
});

test('the same words come back in the same order, read', () => {
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
