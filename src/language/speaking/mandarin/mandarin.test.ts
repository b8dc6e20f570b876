import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpokenWord } from '#contracts/spoken-text.ts';
import { isSpaceBetween } from '#language/join-words.ts';
import { parsePinyin } from '#language/pinyin.ts';
import { spellOut } from '#language/speaking/spell-out.ts';
import { readMandarin } from './read-mandarin.ts';

const ROWS = readFileSync(new URL('mandarin-items.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));
const LEAST_RIGHT = 0.98;

/** The words of a text with readings, those of other languages too. */
function speak(text: string): SpokenWord[] {
  const piece = spellOut({ text, endsSentence: true }, 'mandarin');
  return (piece?.phrases ?? []).flatMap(({ words }) => {
    const read: SpokenWord[] = [];
    for (let from = 0; from < words.length;) {
      let to = from + 1;
      while (to < words.length && words[to]!.language === words[from]!.language) to += 1;
      const run = words.slice(from, to);
      read.push(...(words[from]!.language === 'mandarin' ? readMandarin(run) : run));
      from = to;
    }
    return read;
  });
}

const saidOf = (words: readonly SpokenWord[]) =>
  words.reduce((text, { said }) => text + (text !== '' && isSpaceBetween(text, said) ? ' ' : '') + said, '');

test('what a table of tricky texts says is said so, but for two in a hundred', () => {
  const wrong = ROWS.filter(([text = '', said = '']) => !said.split(' | ').includes(saidOf(speak(text))));
  const told = wrong.map(([text = '', said]) => `${text}: ${saidOf(speak(text))}, not ${said}`);
  expect(told.length / ROWS.length, told.join('\n')).toBeLessThanOrEqual(1 - LEAST_RIGHT);
});

test('what a table of tricky texts reads is read so, but for two in a hundred', () => {
  const readingOf = (text: string) =>
    speak(text)
      .flatMap(({ reading }) => reading)
      .join(' ');
  const wrong = ROWS.filter(([text = '', , reading = '']) => !reading.split(' | ').includes(readingOf(text)));
  const told = wrong.map(([text = '', , reading]) => `${text}: ${readingOf(text)}, not ${reading}`);
  expect(told.length / ROWS.length, told.join('\n')).toBeLessThanOrEqual(1 - LEAST_RIGHT);
});

test('there are at least seventy texts in the table', () => {
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

test('whatever the text holds, something valid is said of it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { written, said, reading, language } of speak(text)) {
        expect(written).not.toBe('');
        expect(said).not.toBe('');
        expect(said).not.toMatch(/\d/);
        if (language !== 'mandarin') continue;
        for (const syllable of reading) expect(syllable).toMatch(/^[a-zê]+[1-5]$/u);
      }
    }),
    { numRuns: 400 },
  );
});

test('the same words come back in the same order, read', () => {
  const words: SpokenWord[] = ['銀行', 'X', '重庆'].map((said) => ({
    written: said,
    said,
    language: 'mandarin',
    reading: [],
  }));
  const read = readMandarin(words);
  expect(read.map(({ said }) => said)).toEqual(['銀行', 'X', '重庆']);
  expect(read.map(({ reading }) => reading.join(' '))).toEqual(['yin2 hang2', '', 'chong2 qing4']);
  expect(read.every(({ reading }) => reading.every((syllable) => parsePinyin(syllable) !== null))).toBe(true);
});
