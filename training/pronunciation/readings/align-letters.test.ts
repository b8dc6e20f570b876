import { expect, test } from 'vitest';
import { alignLetters } from './align-letters.ts';

const WORDS: Record<string, string> = {
  cat: 'K AE T',
  cats: 'K AE T S',
  ship: 'SH IH P',
  shop: 'SH AA P',
  fish: 'F IH SH',
  hat: 'HH AE T',
  hot: 'HH AA T',
  pit: 'P IH T',
  pot: 'P AA T',
  tax: 'T AE K S',
  fax: 'F AE K S',
  sit: 'S IH T',
  sash: 'S AE SH',
};
const entries = Object.entries(WORDS).map(([word, phones]) => ({ word, phones: phones.split(' ') }));

test('letters are aligned with their phones: none for silent letters, two for x', () => {
  const aligned = new Map(alignLetters(entries).map(({ word, chunks }) => [word, chunks.join(' ')]));
  expect(aligned.get('cat')).toBe('K AE T');
  expect(aligned.get('tax')).toBe('T AE K+S');
  expect(aligned.get('fish')?.split(' ').slice(0, 2)).toEqual(['F', 'IH']);
});

test('no phones are lost, and words with too many phones are skipped', () => {
  const aligned = alignLetters([...entries, { word: 'x', phones: ['EH', 'K', 'S'] }]);
  expect(aligned).toHaveLength(entries.length);
  for (const { word, chunks } of aligned) {
    const phones = chunks.filter((chunk) => chunk !== '-').flatMap((chunk) => chunk.split('+'));
    expect(phones.join(' ')).toBe(WORDS[word]);
  }
});
