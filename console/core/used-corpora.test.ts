import { expect, it } from 'vitest';
import { usedCorpora } from './used-corpora.ts';

const shipped = { id: 'finance', public: true, entries_count: 900 };
const personal = (id: string, entries = 20_000) => ({ id, public: false, entries_count: entries });

it('all word lists are used, personal ones too, and those that were made after another was unticked', () => {
  expect(usedCorpora([shipped, personal('a')], {})).toEqual(['finance', 'a']);
  expect(usedCorpora([shipped, personal('a'), personal('b')], { a: false })).toEqual(['finance', 'b']);
  expect(usedCorpora([shipped, personal('a')], { a: false, finance: false, gone: true })).toEqual([]);
});

it('untouched personal lists are used up to the entries that a transcription may have', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => personal(id));
  expect(usedCorpora([shipped, ...many], {})).toEqual(['finance', 'a', 'b', 'c', 'd', 'e']);
  expect(usedCorpora([...many, personal('g', 1)], { a: false, g: true })).toEqual(['b', 'c', 'd', 'e', 'g']);
});
