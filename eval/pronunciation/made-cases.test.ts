import { expect, test } from 'vitest';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import { madeCases } from './made-cases.ts';

test('a case of each kind changes what is said in one place, and says only syllables', () => {
  const cases = madeCases(150);
  expect(new Set(cases.map(({ kind }) => kind)).size).toBe(10);
  const asWritten = new Map(cases.map(({ text, jyutping }) => [text, jyutping]));
  expect(asWritten.size).toBe(150);
  for (const { kind, text, jyutping, at } of cases) {
    const more = jyutping.split(' ').length - Array.from(text).length;
    const expected = { added: 1, filler: 1, 'left out': -1, restart: at + 1 }[kind as string] ?? 0;
    expect([kind, text, more]).toEqual([kind, text, expected]);
  }
  const spoken = cases.flatMap(({ jyutping }) => jyutping.split(' '));
  expect(spoken.filter((syllable) => !isSyllable(syllable))).toEqual([]);
});
