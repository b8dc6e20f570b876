import { expect, it } from 'vitest';
import { readingReport, readingSentences, withWrongWords } from './reading-trials.ts';

it('takes sentences of the table with a syllable for each character', () => {
  const sentences = readingSentences(200);
  expect(sentences.length).toBe(200);
  expect(new Set(sentences.map(({ text }) => text)).size).toBe(200);
  expect(sentences.filter(({ text, jyutping }) => jyutping.split(' ').length !== Array.from(text).length)).toEqual([]);
});

it('puts two words of other sounds in the places of others', () => {
  expect(withWrongWords('今年會有花紅', 0)).toBe('今年山有飛紅');
  expect(withWrongWords('佢上山影相', 0)).toBe('佢飛山紙相');
});

it('lists sentences that fail and wrong ones that pass', () => {
  const trial = { text: '我會去', voice: 'a', score: 95, wrongText: '我山去', wrongScore: 40 };
  const report = readingReport([trial, { ...trial, score: 50 }, { ...trial, wrongScore: 90 }, trial], 'text');
  expect(report).toContain('3 (75.0 %)');
  expect(report).toContain('1 (25.0 %)');
  expect(report).toContain('failed: 我會去 (a) 50');
  expect(report).toContain('passed: 我山去 for 我會去 90');
});
