import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadAddReadings } from './add-readings.ts';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

/**
 * Everyday messages, written by a reviewer who did not know the implementation. Columns: language,
 * text, spoken form, readings; empty ones are not checked. ` | ` separates alternatives of the
 * whole, `/` those of one syllable. English readings name single words (`read=R EH1 D`).
 */
const ROWS = readFileSync(new URL('../testing/tables/reviewed-normalization.tsv', import.meta.url), 'utf8')
  .replace(/\n$/, '')
  .split('\n')
  .slice(1)
  .map((line) => {
    const [language = '', text = '', spokenForm = '', reading = ''] = line.split('\t');
    return { language: language as Language, text, spokenForm, reading };
  });
const MIN_CORRECT = 0.98;

const read = await loadAddReadings();

/**
 * Removes what is inaudible: punctuation, capitals except single letters, and spaces beside Chinese
 * characters.
 */
const bare = (spokenForm: string) =>
  spokenForm
    .replace(/[^\p{L}\p{M}\p{N}' ]/gu, ' ')
    .replace(/ +/g, ' ')
    .replace(/[\p{Script=Latin}\p{M}]{2,}/gu, (word) => word.toLowerCase())
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim();

function fitsSyllables(expected: string, syllables: readonly string[]): boolean {
  const expectedSyllables = expected.split(' ').filter((syllable) => syllable !== '');
  return (
    expectedSyllables.length === syllables.length &&
    expectedSyllables.every((alternatives, i) => alternatives.split('/').includes(syllables[i] ?? ''))
  );
}

function fitsPhones(expected: string, words: readonly SpokenWord[]): boolean {
  return expected.split('; ').every((pair) => {
    const [name = '', phones = ''] = pair.split('=');
    const word = words.find(({ written }) => written.toLowerCase() === name);
    return word !== undefined && phones.split('/').includes(word.reading.join(' '));
  });
}

/** The fault of a row, or null. */
function faultOf({ language, text, spokenForm, reading }: (typeof ROWS)[number]): string | null {
  const piece = normalize(tokenizePiece(text, language), language);
  const words = piece === null ? [] : read(piece).phrases.flatMap((phrase) => phrase.words);
  const actual = bare(piece?.spokenForm ?? '');
  if (spokenForm !== '' && !spokenForm.split(' | ').some((form) => bare(form) === actual))
    return `${text}: ${actual}, not ${spokenForm}`;
  if (reading === '') return null;
  const named = words.filter((word) => word.reading.length > 0 && word.language === language);
  const syllables = named.flatMap((word) => word.reading);
  const isRight = reading
    .split(' | ')
    .some((alternative) =>
      language === 'english' ? fitsPhones(alternative, named) : fitsSyllables(alternative, syllables),
    );
  const found =
    language === 'english'
      ? named.map((word) => `${word.written}=${word.reading.join(' ')}`).join('; ')
      : syllables.join(' ');
  return isRight ? null : `${text}: ${found}, not ${reading}`;
}

test.each(['cantonese', 'mandarin', 'english'] as const)(
  'at least 98 % of everyday texts in %s are spoken as expected',
  (language) => {
    const rows = ROWS.filter((row) => row.language === language);
    const faults = rows.flatMap((row) => faultOf(row) ?? []);
    console.info(
      `${language}: ${rows.length - faults.length} of ${rows.length} right${faults.map((fault) => `\n  ${fault}`).join('')}`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(1 - faults.length / rows.length).toBeGreaterThanOrEqual(MIN_CORRECT);
  },
);

test('every text occurs once in the table', () => {
  const texts = ROWS.map(({ text }) => text);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});
