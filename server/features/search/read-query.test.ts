import { expect, test } from 'vitest';
import { readQuery } from './read-query.ts';

const syllablesOf = (query: string) => readQuery(query, 'any').jyutping?.words ?? null;

test('jyutping written together is divided into the longest syllables that leave no letter', () => {
  const rows: [string, string[] | null][] = [
    ['zousan', ['zou', 'san']],
    ['zou2san4', ['zou2', 'san4']],
    ['gwaangming', ['gwaang', 'ming']],
    ['Zou2 san', ['zou2', 'san']],
    ['zou² ｓａｎ４', ['zou2', 'san4']],
    ['hello', null],
  ];
  expect(rows.map(([query]) => syllablesOf(query))).toEqual(rows.map(([, words]) => words));
});

test('letters that can be divided in millions of ways are read at once', () => {
  // Tried one after another, these would take years.
  expect(syllablesOf(`${'a'.repeat(200)}x`)).toBeNull();
  expect(syllablesOf(`${'a'.repeat(200)}é`)).toBeNull();
  expect(syllablesOf('aangaang'.repeat(6))).not.toBeNull();
});
