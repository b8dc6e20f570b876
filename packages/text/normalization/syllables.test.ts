import { describe, expect, test } from 'vitest';
import { countSyllables } from './syllables.ts';
import { tokenizePiece } from './tokenize.ts';

const countOf = (text: string) =>
  tokenizePiece(text, 'cantonese').tokens.reduce((sum, { token }) => sum + countSyllables(token), 0);

describe('syllables', () => {
  test.each([
    ['香港', 2],
    ['人々', 1],
    ['cat', 1],
    ['coffee', 2],
    ['banana', 3],
    ['make', 1],
    ['the', 1],
    ['rhythm', 1],
    ['hmm', 1],
    ['café', 2],
    ['MTR', 3],
    ['ATMs', 3],
    ['12', 2],
    ['2026年', 5],
    ['50%', 3],
    ['。！？', 0],
    ['😀', 0],
    ['+', 0],
    ['', 0],
    ['香港 MTR 12', 7],
  ])('of %j: %i', (text, count) => {
    expect(countOf(text)).toBe(count);
  });

  test('a word too long to be one is read nearly letter by letter', () => {
    expect(countOf('b'.repeat(20))).toBe(1);
    expect(countOf('b'.repeat(100))).toBe(25);
  });

  test('every spoken token has at least one', () => {
    for (const text of ['e', 'brr', '1', 'A1', '1/2', '3:30', '$5', 'a@b.com', '#x', '½', '25°C']) {
      expect([text, countOf(text) > 0]).toEqual([text, true]);
    }
  });
});
