import { describe, expect, test } from 'vitest';
import type { Term } from '@jyutsing/contracts/corrector';
import { recognizedSegment } from '#test/fusion-segments.ts';
import { isHallucination, withoutCredits } from './hallucinations.ts';
import { nearestTerms } from './nearest-terms.ts';

type Stated = { avgLogprob?: number; noSpeechProbability?: number; compressionRatio?: number };
const invented = (text: string, stated: Stated = {}, prompt: string | null = null) =>
  isHallucination(
    { text, start: 0, end: 1, avgLogprob: null, noSpeechProbability: null, compressionRatio: null, ...stated },
    prompt,
  );
const SURE = { avgLogprob: -0.2, noSpeechProbability: 0.01 };

describe('text that nobody said', () => {
  test.each(['', ' ', '。', '...', '♪', '[ ]'])('%j: marks only', (text) => {
    expect(invented(text, SURE)).toBe(true);
  });

  test.each([
    'Thank you for watching!',
    'Thanks for watching.',
    'Please subscribe to my channel.',
    '多謝收看',
    '谢谢大家收看',
    '請訂閱我的頻道',
    '下期再見',
    'Thank you so much for your attention.',
  ])('%j ends a video, unless the server is sure', (text) => {
    expect([invented(text), invented(text, SURE)]).toEqual([true, false]);
  });

  test.each(['Thank you.', 'you', 'Bye.', '嗯', '[Music]', '（掌聲）'])(
    '%j is breathing where it is unsure',
    (text) => {
      expect(invented(text, { noSpeechProbability: 0.9 })).toBe(true);
      expect(invented(text, { avgLogprob: -1.5 })).toBe(true);
      expect(invented(text)).toBe(false);
    },
  );

  test('a repeated sentence', () => {
    expect(invented('我哋而家去食飯。'.repeat(20))).toBe(true);
    expect(invented('no no no no')).toBe(false);
    expect(invented('我哋去食飯', { compressionRatio: 2.5 })).toBe(true);
    expect(invented('我哋而家去食飯。'.repeat(20), { compressionRatio: 1.1 })).toBe(false);
  });

  test('the prompt itself', () => {
    expect(invented('香港, 九龍!', SURE, '香港，九龍')).toBe(true);
    expect(invented('香港同九龍', SURE, '香港，九龍')).toBe(false);
  });

  test('what the server doubts in both ways', () => {
    expect(invented('今日天氣', { avgLogprob: -1.2, noSpeechProbability: 0.7 })).toBe(true);
    expect(invented('今日天氣', { avgLogprob: -1.2 })).toBe(false);
    expect(invented('今日天氣', { noSpeechProbability: 0.99 })).toBe(false);
  });
});

test.each([
  '今日天氣好好',
  'Thank you for coming today',
  '多謝你收看呢封信',
  '我訂閱咗',
  'You are right',
  'Goodbye my friend',
])('%j is speech', (text) => {
  expect(invented(text)).toBe(false);
});

describe('subtitle credits', () => {
  test.each([
    ['今日好。字幕由志愿者提供。', '今日好。'],
    ['Subtitles by the Amara.org community', ''],
    ['So we go. Subtitles by John.', 'So we go.'],
    ['请不吝点赞 订阅 转发', ''],
    ['我哋講字幕嘅嘢', '我哋講字幕嘅嘢'],
    ['', ''],
  ])('%j without them is %j', (text, expected) => {
    expect(withoutCredits(text)).toBe(expected);
  });
});

const term = (text: string, reading: string, weight = 1): Term => ({ text, readings: [reading.split(' ')], weight });

const near = (terms: readonly Term[], jyutping: string, maxTerms = 10) =>
  nearestTerms(terms, [recognizedSegment('甲'.repeat(jyutping.split(' ').length), jyutping)], maxTerms).map(
    ({ text }) => text,
  );

describe('the terms that may have been said', () => {
  test('are those that sound alike, the nearest first', () => {
    const terms = [term('深圳', 'sam1 zan3'), term('銅鑼灣', 'tung4 lo4 waan1'), term('中環', 'zung1 waan4')];
    expect(near(terms, 'ngo5 heoi3 tung4 lo4 waan1')).toEqual(['銅鑼灣']);
    expect(near(terms, 'tung4 no4 waan1')).toEqual(['銅鑼灣']);
    expect(near(terms, 'zung1 waan4 sam1 zan3')).toEqual(['深圳', '中環']);
  });

  test('among equals the longer and weightier come first', () => {
    const terms = [term('甲', 'zung1'), term('乙', 'zung1 waan4', 1), term('丙', 'zung1 waan4', 5)];
    expect(near(terms, 'zung1 waan4')).toEqual(['丙', '乙', '甲']);
    expect(near(terms, 'zung1 waan4', 1)).toEqual(['丙']);
  });

  test('are none where too little was heard', () => {
    expect(near([term('銅鑼灣', 'tung4 lo4 waan1')], 'tung4 lo4')).toEqual([]);
    expect(near([{ text: 'x', readings: [], weight: 1 }], 'tung4')).toEqual([]);
    expect(nearestTerms([term('甲', 'zung1')], [], 5)).toEqual([]);
  });
});
