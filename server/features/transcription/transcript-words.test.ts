import { expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { wordsOf } from './transcript-words.ts';

/** A segment with consecutive units. */
function segmentOf(text: string, ...units: string[]): Segment {
  const words = units.map((unit, index) => ({
    text: unit,
    reading: null,
    startMs: index * 100,
    endMs: index * 100 + 90,
    confidence: null,
  }));
  return { text, startMs: 0, endMs: units.length * 100, words, speaker: null, confidence: null };
}
const wordsIn = (...segment: Parameters<typeof segmentOf>) => wordsOf(segmentOf(...segment)).map(({ text }) => text);

test('characters are grouped into words without punctuation', () => {
  expect(wordsIn('今日天氣好好，我哋去香港大學。', ...'今日天氣好好我哋去香港大學')).toEqual(
    expect.arrayContaining(['今日', '天氣', '香港', '大學']),
  );
  expect(wordsIn('香港，大學', ...'香港大學')).toEqual(['香港', '大學']);
});

test('Latin words stay as timed', () => {
  expect(wordsIn("I don't know.", 'I', "don't", 'know')).toEqual(['I', "don't", 'know']);
  expect(wordsIn('我用 iPhone 打電話', '我', '用', 'iPhone', '打', '電', '話').slice(0, 3)).toEqual([
    '我',
    '用',
    'iPhone',
  ]);
});

test('every unit is in exactly one word, in order, for any text', () => {
  const cases: Parameters<typeof segmentOf>[] = [
    ['', '早', '晨'],
    ['早晨', '早', '惡', '晨'],
    ['早早早', '早', '早', '早'],
    ['𠮷野家𨋢', '𠮷', '野', '家', '𨋢'],
    ['a b', '', 'a', '', 'b'],
    ['完全不同', 'x', 'y'],
    ['👩‍👩‍👧 好', '👩‍👩‍👧', '好'],
  ];
  for (const [text, ...units] of cases) {
    const words = wordsOf(segmentOf(text, ...units));
    expect([text, words.flatMap((word) => word.units.map((unit) => unit.text))]).toEqual([text, units]);
  }
});

test('a segment without timed units has no words', () => {
  expect(wordsOf(segmentOf('早晨'))).toEqual([]);
});

test('an hour of text is split quickly', () => {
  const text = '今日天氣好好我哋去行山'.repeat(1_500);
  const startedMs = cpuTimeMs();
  const words = wordsOf(segmentOf(text, ...text));
  expect(words.flatMap(({ units }) => units)).toHaveLength(text.length);
  expect(cpuTimeMs() - startedMs).toBeLessThan(2_000);
});
