import { expect, test } from 'vitest';
import { madeCases } from './made-cases.ts';

test('a case of each kind changes what is said in one place', () => {
  const cases = madeCases(20);
  expect(new Set(cases.map(({ kind }) => kind)).size).toBe(10);
  const asWritten = new Map(cases.map(({ text, jyutping }) => [text, jyutping]));
  expect(asWritten.size).toBe(20);
  for (const { kind, text, jyutping, at } of cases) {
    const more = jyutping.split(' ').length - Array.from(text).length;
    const expected = { added: 1, filler: 1, 'left out': -1, restart: at + 1 }[kind as string] ?? 0;
    expect([kind, text, more]).toEqual([kind, text, expected]);
  }
});
