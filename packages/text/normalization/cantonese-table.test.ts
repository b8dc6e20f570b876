import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSyllable } from '#text/jyutping.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadAddReadings } from './add-readings.ts';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

/** Columns: language, text, what is said without marks, jyutping of its Cantonese (`a/b`: both are heard in Hong Kong). */
const ROWS = readFileSync(new URL('../testing/tables/cantonese-normalization.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
const LEAST_RIGHT = 0.98;

const withoutMarks = (spokenForm: string) => spokenForm.replace(/[，。？！…、,.?!]/gu, '').trim();

function fitsReading(expected: string, syllables: readonly string[]): boolean {
  const wanted = expected.split(' ').filter((syllable) => syllable !== '');
  return wanted.length === syllables.length && wanted.every((each, i) => each.split('/').includes(syllables[i] ?? ''));
}

test('what is expected is jyutping, and every text stands in the table once', () => {
  const texts = ROWS.map((row) => row.split('\t')[1]);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  for (const row of ROWS) {
    const syllables = (row.split('\t')[3] ?? '').split(/[ /]/).filter((syllable) => syllable !== '');
    expect(syllables.filter((syllable) => !isSyllable(syllable))).toEqual([]);
  }
});

test('98 of 100 tricky Cantonese and mixed texts are said and read as in Hong Kong', async () => {
  const read = await loadAddReadings();
  const wrong = ROWS.flatMap((row) => {
    const [language = '', text = '', spokenForm = '', reading = ''] = row.split('\t');
    const piece = normalize(tokenizePiece(text, language as Language), language as Language);
    const words = piece === null ? [] : read(piece).phrases.flatMap((phrase) => phrase.words);
    const heard = words.filter((word) => word.language === 'cantonese').flatMap((word) => word.reading);
    const told = withoutMarks(piece?.spokenForm ?? '');
    return told === spokenForm && fitsReading(reading, heard) ? [] : [`${text}: ${told} (${heard.join(' ')})`];
  });
  console.info(`${ROWS.length - wrong.length} of ${ROWS.length} right${wrong.map((each) => `\n  ${each}`).join('')}`);
  expect(ROWS.length).toBeGreaterThanOrEqual(160);
  expect(wrong.length / ROWS.length).toBeLessThanOrEqual(1 - LEAST_RIGHT);
});
