import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSyllable } from '#text/syllables/jyutping.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadAddReadings } from './add-readings.ts';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

/**
 * Columns: language, text, spoken form without punctuation, jyutping of its Cantonese (`a/b`: both
 * are used in Hong Kong).
 */
const ROWS = readFileSync(new URL('../testing/tables/cantonese-normalization.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
const MIN_CORRECT = 0.98;

const withoutMarks = (spokenForm: string) => spokenForm.replace(/[，。？！…、,.?!]/gu, '').trim();

function fitsReading(expected: string, syllables: readonly string[]): boolean {
  const expectedSyllables = expected.split(' ').filter((syllable) => syllable !== '');
  return (
    expectedSyllables.length === syllables.length &&
    expectedSyllables.every((alternatives, i) => alternatives.split('/').includes(syllables[i] ?? ''))
  );
}

test('the expected readings are jyutping, and every text occurs once', () => {
  const texts = ROWS.map((row) => row.split('\t')[1]);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  for (const row of ROWS) {
    const syllables = (row.split('\t')[3] ?? '').split(/[ /]/).filter((syllable) => syllable !== '');
    expect(syllables.filter((syllable) => !isSyllable(syllable))).toEqual([]);
  }
});

test('at least 98 % of difficult Cantonese and mixed texts are normalized and read as in Hong Kong', async () => {
  const read = await loadAddReadings();
  const wrong = ROWS.flatMap((row) => {
    const [language = '', text = '', spokenForm = '', reading = ''] = row.split('\t');
    const piece = normalize(tokenizePiece(text, language as Language), language as Language);
    const words = piece === null ? [] : read(piece).phrases.flatMap((phrase) => phrase.words);
    const syllables = words.filter((word) => word.language === 'cantonese').flatMap((word) => word.reading);
    const actual = withoutMarks(piece?.spokenForm ?? '');
    return actual === spokenForm && fitsReading(reading, syllables)
      ? []
      : [`${text}: ${actual} (${syllables.join(' ')})`];
  });
  console.info(`${ROWS.length - wrong.length} of ${ROWS.length} right${wrong.map((fault) => `\n  ${fault}`).join('')}`);
  expect(ROWS.length).toBeGreaterThanOrEqual(160);
  expect(wrong.length / ROWS.length).toBeLessThanOrEqual(1 - MIN_CORRECT);
});
