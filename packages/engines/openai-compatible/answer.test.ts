import { expect, it } from 'vitest';
import { parseAnswer } from './answer.ts';

const segment = { text: '早晨', start: 0, end: 1 };
const noFigures = { avgLogprob: null, noSpeechProbability: null, compressionRatio: null };
const word = (text: string, start: number, end: number) => ({ word: text, start, end });

it('needs no more than a text', () => {
  expect(parseAnswer('{"text":" 你好 "}')).toEqual({ text: '你好', segments: [], words: [] });
});

it('passes on the figures of a segment', () => {
  const figures = { avg_logprob: -0.25, no_speech_prob: 0.5, compression_ratio: 1.5 };
  expect(parseAnswer(JSON.stringify({ text: '早晨', segments: [{ ...segment, ...figures }] })).segments).toEqual([
    { ...segment, avgLogprob: -0.25, noSpeechProbability: 0.5, compressionRatio: 1.5 },
  ]);
});

it.each([null, 'high', {}, undefined])('takes a figure of %o as not given', (avg_logprob) => {
  const answer = parseAnswer(JSON.stringify({ text: '早晨', segments: [{ ...segment, avg_logprob }] }));
  expect(answer.segments).toEqual([{ ...segment, ...noFigures }]);
});

it.each([
  ['in the answer', { words: [word('早', 0, 0.5)] }],
  ['with the name of LocalAI', { words: [{ text: '早', start: 0, end: 0.5 }] }],
  ['in the segments only', { segments: [{ ...segment, words: [word('早', 0, 0.5)] }] }],
  ['in the segments, null in the answer', { words: null, segments: [{ ...segment, words: [word('早', 0, 0.5)] }] }],
  ['in the segments, none in the answer', { words: [], segments: [{ ...segment, words: [word('早', 0, 0.5)] }] }],
  ['in both', { words: [word('早', 0, 0.5)], segments: [{ ...segment, words: [word('晨', 0.5, 1)] }] }],
])('finds word times %s', (_where, lists) => {
  expect(parseAnswer(JSON.stringify({ text: '早晨', ...lists })).words).toEqual([word('早', 0, 0.5)]);
});

it('removes parts of characters and control characters, and words of nothing else', () => {
  const words = [word('\uFFFD', 0, 1), word(' 早\uFFFD\u0000', 1, 2), word(' \n', 2, 3)];
  const answer = parseAnswer(JSON.stringify({ text: '\u0007早\uFFFD\uFFFD晨', words }));
  expect(answer).toEqual({ text: '早 晨', segments: [], words: [word('早', 1, 2)] });
});

it.each([
  [{ segments: 'none' }],
  [{ segments: [{ text: '早晨', start: '0', end: 1 }] }],
  [{ words: [{ word: '早', start: 0 }] }],
  [{ words: { 0: word('早', 0, 1) } }],
])('ignores lists that it cannot read: %j', (lists) => {
  expect(parseAnswer(JSON.stringify({ text: '早晨', ...lists }))).toEqual({ text: '早晨', segments: [], words: [] });
});

it.each(['', '{', 'null', '[]', '"早晨"', '{}', '{"text":null}', '{"text":3}', '<html>早晨</html>', '{"error":"x"}'])(
  'refuses the body %s without repeating it',
  (body) => {
    expect(() => parseAnswer(body)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
    expect(() => parseAnswer(body)).not.toThrow(/早晨/);
  },
);
