import { expect, it } from 'vitest';
import { usedCorpora } from './used-corpora.ts';

const shipped = { id: 'finance', public: true, entries_count: 900 };
const own = (id: string, entries = 20_000) => ({ id, public: false, entries_count: entries });

it('all word lists are used, own ones too, also those that were made after another was unticked', () => {
  expect(usedCorpora([shipped, own('a')], {})).toEqual(['finance', 'a']);
  expect(usedCorpora([shipped, own('a'), own('b')], { a: false })).toEqual(['finance', 'b']);
  expect(usedCorpora([shipped, own('a')], { a: false, finance: false, gone: true })).toEqual([]);
});

it('untouched lists of one own are used up to the entries that a transcription may have', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => own(id));
  expect(usedCorpora([shipped, ...many], {})).toEqual(['finance', 'a', 'b', 'c', 'd', 'e']);
  expect(usedCorpora([...many, own('g', 1)], { a: false, g: true })).toEqual(['b', 'c', 'd', 'e', 'g']);
});
