import { expect, it } from 'vitest';
import { counted } from './numbers.ts';

it('writes a number with its noun', () => {
  expect([0, 1, 2, 5_605, -1].map((count) => counted(count, 'character'))).toEqual([
    '0 characters',
    '1 character',
    '2 characters',
    '5,605 characters',
    '-1 character',
  ]);
  expect([1, 2].map((count) => counted(count, 'summary', 'summaries'))).toEqual(['1 summary', '2 summaries']);
});
