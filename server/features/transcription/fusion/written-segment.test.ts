import { describe, expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { recognizedSegment } from '#test/fusion-segments.ts';
import { rewrite, tokensOf, wordsOfCharacters, type Replacement } from './written-segment.ts';

const segmentOf = (text: string): Segment => recognizedSegment(text, '').segment;
const replace = (from: number, to: number, characters: string, span: Replacement['span'] = null): Replacement => ({
  from,
  to,
  characters: [...characters],
  readings: [...characters].map((_, index) => `x${index + 1}`),
  span,
  term: null,
});
const rewritten = (text: string, ...replacements: Replacement[]) => {
  const segment = segmentOf(text);
  return rewrite(segment, segment.words, replacements);
};

describe('tokens', () => {
  test.each([
    ['我食飯', '我 食 飯'],
    ['我食,飯。', '我 食 飯'],
    ['用iPhone12影相', '用 iPhone12 影 相'],
    ["don't", 'don t'],
    ['', ''],
    ['。，！', ''],
    ['𠮷野家', '𠮷 野 家'],
    ['😀好', '好'],
    ['Привет', 'Привет'],
  ])('of %j: %j', (text, tokens) => {
    expect(
      tokensOf(text)
        .map((token) => token.text)
        .join(' '),
    ).toBe(tokens);
  });

  test('know which are Chinese characters', () => {
    expect(tokensOf('用iPhone').map(({ isHan }) => isHan)).toEqual([true, false]);
  });
});

describe('a replaced character', () => {
  test('keeps the others, marks and spaces', () => {
    expect(rewritten('我，食犯！OK', replace(2, 3, '飯')).text).toBe('我，食飯！OK');
  });

  test('keeps its time and confidence, and has the new reading', () => {
    const { words } = rewritten('我食犯', replace(2, 3, '飯'));
    expect(words[2]).toEqual({
      text: '飯',
      reading: 'x1',
      startMs: 1_400,
      endMs: 1_600,
      confidence: 0.5,
      corrected: { from: '犯', term: null },
    });
    expect(words.slice(0, 2).map(({ text }) => text)).toEqual(['我', '食']);
  });

  test('may be several at once', () => {
    expect(rewritten('甲乙丙丁', replace(0, 1, 'A'), replace(2, 4, 'BC')).text).toBe('A乙BC');
  });

  test('counts Chinese characters only', () => {
    const { text, words } = rewritten('OK我犯', replace(1, 2, '飯'));
    expect([text, words.map((word) => word.text)]).toEqual(['OK我飯', ['OK', '我', '飯']]);
  });
});

describe('another number of characters', () => {
  test('divides the time of the old ones evenly', () => {
    const { text, words } = rewritten('我甲乙去', replace(1, 3, '一二三'));
    expect(text).toBe('我一二三去');
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1_000, 1_200],
      [1_200, 1_333],
      [1_333, 1_467],
      [1_467, 1_600],
      [1_600, 1_800],
    ]);
  });

  test('never takes time of the neighbors', () => {
    const { words } = rewritten('我甲乙去', replace(1, 3, '一', { startMs: 0, endMs: 9_000 }));
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1_000, 1_200],
      [1_200, 1_600],
      [1_600, 1_800],
    ]);
  });

  test('may be none', () => {
    const { text, words } = rewritten('我甲去', replace(1, 2, ''));
    expect([text, words.map((word) => word.text)]).toEqual(['我去', ['我', '去']]);
  });
});

describe('a segment without changes', () => {
  test.each(['我食飯', '', 'OK', '。', '我\n食', '葛\u{E0100}飾', '\ud800我'])('%j stays as it is', (text) => {
    const segment = segmentOf(text);
    expect(rewrite(segment, segment.words, [])).toEqual(segment);
  });

  test('without words gets none', () => {
    const segment = { ...segmentOf('我犯'), words: [] };
    expect(rewrite(segment, [], [replace(1, 2, '飯')])).toMatchObject({ text: '我飯', words: [] });
  });
});

const word = (text: string) => ({ text, startMs: 0, endMs: 400, reading: null, confidence: 0.5 });

describe('words of single characters', () => {
  test('are those of the segment, divided where they have several', () => {
    const segment = { ...segmentOf('香港人'), words: [word('香港'), word('人')] };
    expect(wordsOfCharacters(segment)?.map(({ text }) => text)).toEqual(['香', '港', '人']);
  });

  test('do not exist where the words are not the text', () => {
    expect(wordsOfCharacters({ ...segmentOf('香港人'), words: [word('香港')] })).toBeNull();
    expect(wordsOfCharacters({ ...segmentOf('香港人'), words: [] })).toEqual([]);
  });
});
