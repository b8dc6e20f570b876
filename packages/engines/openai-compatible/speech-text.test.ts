import { describe, expect, it } from 'vitest';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { charactersOf, groupPieces } from './speech-text.ts';

const piece = (spokenForm: string, endsSentence = true): SpokenPiece => ({
  phrases: [{ words: [{ written: spokenForm, language: 'cantonese', spokenForm, reading: [] }], ending: 'statement' }],
  spokenForm,
  endsSentence,
});

describe('grouping pieces into requests', () => {
  it('keeps all text in order for any limit', () => {
    const pieces = Array.from({ length: 80 }, (_, i) => piece('字'.repeat((i * 37) % 90) + '。', i % 3 !== 0));
    for (const maxCharacters of [1, 50, 100, 333, 100_000]) {
      const groups = groupPieces(pieces, maxCharacters);
      expect(groups.join('').replaceAll('。', '')).toBe(
        pieces
          .map(({ spokenForm }) => spokenForm)
          .join('')
          .replaceAll('。', ''),
      );
    }
  });

  it('exceeds the limit only for a single longer piece', () => {
    const groups = groupPieces(
      [piece('一'.repeat(60)), piece('二'.repeat(60)), piece('三'.repeat(150)), piece('四')],
      100,
    );
    expect(groups.map(charactersOf)).toEqual([60, 60, 150, 1]);
  });

  it('ends with a sentence when one ends near the limit', () => {
    const pieces = [piece('甲'.repeat(40)), piece('乙'.repeat(30), false), piece('丙'.repeat(40))];
    expect(groupPieces(pieces, 100)).toEqual(['甲'.repeat(40), `${'乙'.repeat(30)}${'丙'.repeat(40)}`]);
  });

  it('separates English sentences by a space, Chinese ones by nothing', () => {
    expect(groupPieces([piece('Good morning.'), piece('How are you?'), piece('我好好。'), piece('Bye.')])).toEqual([
      'Good morning. How are you?我好好。Bye.',
    ]);
  });

  it('gives no request for text without words', () => {
    expect(groupPieces([piece('……'), piece(' '), piece('😀')])).toEqual([]);
    expect(groupPieces([])).toEqual([]);
  });

  it('counts code points', () => {
    expect([charactersOf('𠮷野家'), charactersOf('😀')]).toEqual([3, 1]);
  });
});
