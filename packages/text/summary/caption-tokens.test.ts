import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryFeatures } from '#text/boundaries/boundary-features.ts';
import { textOf, tokensOf } from './caption-tokens.ts';
import { CHINESE } from './chinese.ts';
import { cutUnpunctuated } from './cut-unpunctuated.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { bigrams, scoreOfEdge, scores } from './lexicon.ts';

const shown = (text: string, lexicon = ENGLISH) =>
  tokensOf(text, lexicon).map(({ text: written, mark }) => `${JSON.stringify(written)} ${mark}`);

describe('the tokens of captions', () => {
  test.each([
    ['so we go', ['"so" none', '"we" none', '"go" line']],
    ['so, we', ['"so," comma', '"we" line']],
    ['so\nwe', ['"so" line', '"we" line']],
    ['so  we', ['"so" none', '"we" line']],
    ['', []],
    ['\n\n', []],
  ])('in English: %j', (text, tokens) => {
    expect(shown(text)).toEqual(tokens);
  });

  test.each([
    ['我哋', ['"我" none', '"哋" line']],
    ['我 哋', ['"我 " space', '"哋" line']],
    ['我，哋', ['"我，" comma', '"哋" line']],
    ['用iPhone', ['"用" none', '"iPhone" line']],
    ['第12集', ['"第" none', '"12" none', '"集" line']],
    ['我\n哋', ['"我" line', '"哋" line']],
  ])('in Chinese: %j', (text, tokens) => {
    expect(shown(text, CHINESE)).toEqual(tokens);
  });

  test('have words in the script and case of the model', () => {
    expect(tokensOf('Don’t STOP, “now”', ENGLISH).map(({ word }) => word)).toEqual(["don't", 'stop', 'now']);
    expect(tokensOf('見到ABC', CHINESE).map(({ word }) => word)).toEqual(['见', '到', 'abc']);
  });

  test('are as large as they have characters, English ones as they are words', () => {
    expect(tokensOf('hello world', ENGLISH).map(({ size }) => size)).toEqual([1, 1]);
    expect(tokensOf('我hello', CHINESE).map(({ size }) => size)).toEqual([1, 5]);
  });
});

describe('tokens as text', () => {
  test('line breaks are spaces, or pauses where one is likely', () => {
    const english = tokensOf('so we go\nand then', ENGLISH);
    expect(textOf(english, ENGLISH, () => false)).toBe('so we go and then');
    expect(textOf(english, ENGLISH, (index) => index === 2)).toBe('so we go, and then');
    const chinese = tokensOf('我哋去\n跟住', CHINESE);
    expect(textOf(chinese, CHINESE, () => false)).toBe('我哋去跟住');
    expect(textOf(chinese, CHINESE, (index) => index === 2)).toBe('我哋去 跟住');
  });

  test('Latin words on two lines are not joined', () => {
    expect(textOf(tokensOf('用 iPhone\nPro', CHINESE), CHINESE, () => false)).toBe('用 iPhone Pro');
  });
});

const bare = (text: string) => text.replace(/[\s,，、]/gu, '');

describe('a text without punctuation', () => {
  const LEXICONS = { ENGLISH, CHINESE, JAPANESE, KOREAN };

  test.each(Object.entries(LEXICONS))('is cut without loss: %s', (_name, lexicon) => {
    const words = fc.constantFrom(
      'so',
      'we',
      'go',
      'and',
      'because',
      '我',
      '哋',
      '去',
      '喇',
      'です',
      '그래서',
      '\n',
      ' ',
      '，',
      '12',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 80 }), (parts) => {
        const text = parts.join(lexicon.spaced ? ' ' : '');
        const pieces = cutUnpunctuated(text, lexicon);
        expect(bare(pieces.map((piece) => piece.text).join(''))).toBe(bare(text));
      }),
      { numRuns: 60 },
    );
  });

  test('has pieces of at most the longest sentence, and a certain end', () => {
    const pieces = cutUnpunctuated('word '.repeat(500).trim(), ENGLISH);
    for (const { text } of pieces) expect(text.split(' ').length).toBeLessThanOrEqual(ENGLISH.sentenceLength.max);
    expect(pieces.at(-1)?.endOdds).toBe(Infinity);
  });

  test('that is empty has no pieces', () => {
    expect(cutUnpunctuated('', ENGLISH)).toEqual([]);
    expect(cutUnpunctuated('', CHINESE)).toEqual([]);
  });

  test('has a cut at a clear end', () => {
    const text = '今日同大家講下點樣煮飯先要洗米三次㗎喇跟住就加水一杯半煮廿分鐘就得㗎喇';
    expect(cutUnpunctuated(text, CHINESE).map((piece) => piece.text)[0]).toMatch(/㗎喇$/);
  });
});

describe('the features of a boundary', () => {
  test('are those of both sides', () => {
    const features = boundaryFeatures(['we', 'went', 'home', 'so', 'i', 'slept'], 2, 'word classes');
    expect(features).toContain('<home');
    expect(features).toContain('>so');
    expect(features).toContain('<went home');
    expect(features).toContain('>so i');
    expect(features).toContain('|subordinator');
  });

  test('know contractions, numbers and suffixes', () => {
    expect(boundaryFeatures(["i'm", '12'], 0, 'word classes')).toContain('contraction|number');
    expect(boundaryFeatures(['walking', 'slowly'], 0, 'word classes')).toContain('-ing|-ly');
  });

  test('know scripts', () => {
    expect(boundaryFeatures(['あ', 'ア'], 0, 'characters')).toContain('h|k');
    expect(boundaryFeatures(['我', 'a'], 0, 'characters')).toContain('c|x');
  });

  test('exist at the edges', () => {
    for (const reading of ['word classes', 'word endings', 'characters'] as const) {
      for (const index of [-1, 0, 1, 9]) {
        const features = boundaryFeatures(['我'], index, reading);
        expect(features.length).toBeGreaterThan(5);
        expect(features.join()).not.toContain('undefined');
      }
    }
  });
});

describe('tables of edges', () => {
  const table = scores({ '但係 但': 2, 因為: 1 });

  test.each([
    ['但係我', 'start', 2],
    ['但我', 'start', 2],
    ['因為', 'start', 1],
    ['因', 'start', 0],
    ['我但係', 'start', 0],
    ['我但係', 'end', 2],
    ['', 'start', 0],
    ['', 'end', 0],
  ] as const)('%j at the %s: %i', (text, at, score) => {
    expect(scoreOfEdge(table, text, at)).toBe(score);
  });

  test('the longest entry counts', () => {
    expect(scoreOfEdge(scores({ 呢: 1, 呢個: -3 }), '呢個人', 'start')).toBe(-3);
  });

  test.each([
    ['', []],
    ['香', []],
    ['香港', ['香港']],
    ['香港人', ['香港', '港人']],
    ['𠮷野家', ['𠮷野', '野家']],
  ])('the pairs of %j are %j', (run, pairs) => {
    expect(bigrams(run)).toEqual(pairs);
  });
});
