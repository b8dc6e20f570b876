import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from './tokenize.ts';
import { findUnbreakableSpans } from './unbreakable-spans.ts';

const SIGNS = { none: '_', word: '·', clause: ',', sentence: '|' } as const;
const spansOf = (text: string) => findUnbreakableSpans(text, tokenize(text, 'cantonese'));
/** The spans of a text, each followed by a sign for the cut after it. */
const shown = (text: string) =>
  spansOf(text)
    .map(({ start, end, after }) => text.slice(start, end) + SIGNS[after])
    .join('');

describe('the spans of a text', () => {
  test.each([
    ['我哋，好。', '我_哋，,好。|'],
    ['OK good', 'OK ·good·'],
    ['12個', '12_個·'],
    ['12 個', '12 ·個·'],
    ['688號舖', '688_號·舖·'],
    ['26/11(四)好', '26/11(_四),好·'],
    ['26/11(好)', '26/11,(好),'],
    ['$12.50', '$12.50·'],
    ['好\n好', '好\n|好·'],
    ['好！？好', '好！？|好·'],
    ['「好」', '「好」·'],
    ['好。「好」', '好。|「好」·'],
    ['(a) b', '(a) ,b·'],
    ['好😀好', '好😀,好·'],
    ['5%', '5%·'],
  ])('%j is %j', (text, spans) => {
    expect(shown(text)).toBe(spans);
  });

  test('of nothing are none', () => {
    expect(spansOf('')).toEqual([]);
    expect(spansOf('  \n')).toEqual([]);
  });

  test('are at most about sixty letters long', () => {
    const spans = spansOf('a'.repeat(400));
    expect(Math.max(...spans.map(({ start, end }) => end - start))).toBe(60);
    expect(spans.reduce((sum, { syllables }) => sum + syllables, 0)).toBeGreaterThanOrEqual(50);
  });

  test('of a heap of signs are one for each sign', () => {
    expect(spansOf('%'.repeat(50)).length).toBeGreaterThan(40);
    expect(spansOf('a%').length).toBe(1);
  });

  test('never divide a surrogate pair', () => {
    const text = '😀'.repeat(300);
    for (const { start, end } of spansOf(text)) {
      expect(text.slice(start, end).isWellFormed()).toBe(true);
    }
  });
});

test('the spans of any text cover it without gaps', () => {
  const piece = fc.constantFrom(
    '好',
    '我哋',
    ' ',
    '\n',
    '，',
    '。',
    '「',
    '」',
    '(',
    ')',
    'word',
    '12',
    '$3',
    '%',
    '😀',
    '\ud800',
    '…',
    '\u200b',
    'MTR',
    '½',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const spans = spansOf(text);
      if (spans.length === 0) return;
      expect(spans[0]!.start).toBe(0);
      expect(spans.at(-1)!.end).toBe(text.length);
      spans.slice(1).forEach(({ start }, index) => expect(start).toBe(spans[index]!.end));
      expect(spans.every(({ syllables }) => syllables >= 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
