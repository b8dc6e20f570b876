import { describe, expect, it } from 'vitest';
import { cutPiece } from './summary-pieces.ts';
import { jsonTokens, type TextRange } from './summary-tokens.ts';

/** Cuts a text into pieces, in order. */
function piecesOf(text: string, mostTokens: number): TextRange[] {
  const pieces: TextRange[] = [];
  for (
    let remaining: TextRange | null = { start: 0, end: text.length };
    remaining !== null && pieces.length <= text.length;
  ) {
    const cut = cutPiece(text, remaining, mostTokens);
    pieces.push(cut.piece);
    remaining = cut.rest;
  }
  return pieces;
}

const textsOf = (text: string, mostTokens: number) =>
  piecesOf(text, mostTokens).map(({ start, end }) => text.slice(start, end));

const SENTENCE = 'Then the old man went to the market and bought some fish. ';
const TEXTS: Record<string, string> = {
  sentences: SENTENCE.repeat(100),
  Chinese: '佢哋話六十年代好多人冇錢食西餐，所以先有平價嘅嘢食。'.repeat(100),
  'lines without punctuation': 'so we went down to the harbour\nand there was nobody\n'.repeat(80),
  'words only': 'harbour '.repeat(500),
  'no boundary': '飯'.repeat(2_000),
  'no boundary, surrogate pairs': '🍚'.repeat(1_000),
  'joined emoji': '👨‍👩‍👧‍👦'.repeat(300),
  'combining marks': 'é̂'.normalize('NFD').repeat(900),
  escapes: '"\\<\n'.repeat(400),
  'lone surrogates': '\ud83c'.repeat(400) + '\udf5a'.repeat(400),
  blank: '\n'.repeat(3_000),
};

describe.each(Object.entries(TEXTS))('%s', (_name, text) => {
  it.each([7, 40, 333, 100_000])('pieces of %i tokens stay within the limit and cover the text', (mostTokens) => {
    const pieces = piecesOf(text, mostTokens);
    const wrong = pieces.filter(({ start, end }, index) => {
      const before = pieces[index - 1] ?? { start: -1, end: 0 };
      const isNext = start > before.start && start <= before.end && end > before.end;
      return !isNext || jsonTokens(text.slice(start, end)) > Math.max(mostTokens, 6);
    });
    expect(wrong).toEqual([]);
    expect(pieces.at(-1)?.end).toBe(text.length);
    const expectedCount = jsonTokens(text) / mostTokens;
    expect(pieces.length).toBeLessThanOrEqual(Math.ceil(expectedCount) + 2 * expectedCount);
  });
});

it('pieces end with a sentence and repeat the last one of the previous piece', () => {
  for (const piece of textsOf(SENTENCE.repeat(100), 333)) {
    expect(piece).toMatch(/^Then.*fish\. $/);
  }
  for (const piece of textsOf(TEXTS['Chinese'] ?? '', 1_400)) expect(piece).toMatch(/^佢哋.*食。$/);
  const [first, second] = piecesOf(TEXTS['Chinese'] ?? '', 1_400);
  expect((first?.end ?? 0) - (second?.start ?? 0)).toBe(52);
});

it('pieces end with a line or word when there are no sentences', () => {
  for (const piece of textsOf(TEXTS['lines without punctuation'] ?? '', 100))
    expect(piece).toMatch(/(harbour|nobody)\n$/);
  for (const piece of textsOf(TEXTS['words only'] ?? '', 100)) expect(piece).toMatch(/^(harbour )+$/);
});

it('surrogate pairs and joined characters are not split', () => {
  for (const piece of textsOf(TEXTS['no boundary, surrogate pairs'] ?? '', 40)) expect(piece.isWellFormed()).toBe(true);
  for (const piece of textsOf(TEXTS['joined emoji'] ?? '', 100)) expect(piece).toMatch(/^(👨‍👩‍👧‍👦)+$/u);
});

it('a text that fits is one piece, and a slightly longer one is halved', () => {
  const text = SENTENCE.repeat(20);
  expect(piecesOf(text, jsonTokens(text))).toEqual([{ start: 0, end: text.length }]);
  const [first, second, ...furtherLengths] = textsOf(text, jsonTokens(text) - 5).map(({ length }) => length);
  expect(furtherLengths).toEqual([]);
  expect(Math.abs((first ?? 0) - (second ?? 0))).toBeLessThan(text.length / 4);
});
