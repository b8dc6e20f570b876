import { describe, expect, test } from 'vitest';
import { isSyllable } from '#text/syllables/jyutping.ts';
import { contextCandidates } from './context-candidates.ts';
import { likelyReadings } from './likely-readings.ts';
import { READING_VARIANTS } from './reading-variants.ts';

const textsOf = (context: string) => contextCandidates(context).map(({ text }) => text);

describe('the candidates of a hint', () => {
  test('are first the phrases that stand alone', () => {
    const found = contextCandidates('立法會，啟德郵輪碼頭、鰂魚涌');
    expect(found.filter(({ weight }) => weight === 2).map(({ text }) => text)).toEqual([
      '立法會',
      '啟德郵輪碼頭',
      '鰂魚涌',
    ]);
  });

  test.each([
    ['', 'nothing'],
    ['hello world', 'no Chinese'],
    ['，。！', 'marks'],
    ['港', 'a single character'],
    ['😀', 'a picture'],
  ])('of %j are none: %s', (context) => {
    expect(contextCandidates(context)).toEqual([]);
  });

  test('are each listed once', () => {
    const texts = textsOf('立法會 立法會，立法會\n立法會議員');
    expect(texts.filter((text) => text === '立法會')).toHaveLength(1);
  });

  test('are in Hong Kong characters where the hint is Simplified', () => {
    expect(textsOf('铜锣湾')).toContain('銅鑼灣');
    expect(textsOf('黎明')).toContain('黎明');
  });

  test('of a sentence are its words, not the sentence', () => {
    const texts = textsOf('我今日同陳志明喺銅鑼灣食飯');
    expect(texts).not.toContain('我今日同陳志明喺銅鑼灣食飯');
    expect(texts).toContain('銅鑼灣');
    expect(texts.join()).toContain('志明');
  });

  test('are well-formed text without marks', () => {
    for (const text of textsOf('立法會\ud800，「啟德」(鰂魚涌)😀')) {
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/[\p{P}\p{S}\s]/u);
    }
  });

  test('are at most five hundred, whatever the length of the hint', () => {
    const context = Array.from({ length: 3_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index, 0x5e00 + index),
    ).join('，');
    expect(contextCandidates(context)).toHaveLength(500);
  });
});

const written = (text: string) => likelyReadings(text).map((reading) => reading.join(' '));

describe('the likely readings of a term', () => {
  test('begin with the usual one', () => {
    expect(written('香港')[0]).toBe('hoeng1 gong2');
    expect(written('銀行')[0]).toBe('ngan4 hong4');
  });

  test('of a surname include its special reading', () => {
    expect(written('曾')).toEqual(expect.arrayContaining(['cang4', 'zang1']));
    expect(written('單')).toEqual(expect.arrayContaining(['daan1', 'sin6']));
  });

  test('are at most four, and one for a long text', () => {
    expect(written('行長重').length).toBeLessThanOrEqual(4);
    expect(written('香港中文大學')).toHaveLength(1);
  });

  test.each(['', 'ABC', '，', '⻌'])('of %j are none', (text) => {
    expect(likelyReadings(text)).toEqual([]);
  });

  test('have a syllable for each character', () => {
    for (const text of ['香港', '曾先生', '行', '立法會']) {
      for (const reading of likelyReadings(text)) expect([text, reading.length]).toEqual([text, [...text].length]);
    }
  });
});

test('the listed readings are syllables, several for each character, each once', () => {
  expect(READING_VARIANTS.size).toBeGreaterThan(100);
  for (const [char, readings] of READING_VARIANTS) {
    expect([char, [...char].length, readings.length > 1]).toEqual([char, 1, true]);
    expect(readings.filter((reading) => !isSyllable(reading))).toEqual([]);
    expect(new Set(readings).size).toBe(readings.length);
  }
});
