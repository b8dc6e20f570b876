import { expect, test } from 'vitest';
import { cutIntoChunks } from './chunks.ts';
import { recognizedSegment } from '#test/fusion-segments.ts';

const sizes = (texts: readonly string[], pauseMs: (index: number) => number, maxCharacters: number) => {
  let atMs = 0;
  const segments = texts.map((text, index) => {
    const made = recognizedSegment(text, '', atMs);
    atMs = made.segment.endMs + pauseMs(index);
    return made;
  });
  const chunks = cutIntoChunks(segments, maxCharacters);
  expect(chunks.flat()).toEqual(segments);
  return chunks.map((chunk) => chunk.length);
};

test('an empty transcript gives no chunk, a short one gives one', () => {
  expect(sizes([], () => 0, 10)).toEqual([]);
  expect(sizes(['你好', '早晨'], () => 0, 4)).toEqual([2]);
});

test('a full chunk is cut at the longest pause of its second half, later rather than earlier', () => {
  const texts = Array.from({ length: 10 }, () => '你好');
  expect(sizes(texts, () => 100, 10)).toEqual([5, 5]);
  // The longest pause is in the first half.
  expect(sizes(texts, (index) => [900, 100, 100, 500, 100, 100, 100, 100, 700, 100][index] ?? 0, 10)).toEqual([
    4, 5, 1,
  ]);
});

test('a segment longer than a chunk is a chunk of its own', () => {
  expect(sizes(['你好', '好'.repeat(50), '你好', '早晨'], () => 0, 10)).toEqual([1, 1, 2]);
});

test('no chunk exceeds the limit, and no segment is lost', () => {
  for (let seed = 1; seed < 60; seed += 1) {
    const texts = Array.from({ length: 40 }, (_, index) => '好'.repeat(1 + ((seed * (index + 3) * 7) % 19)));
    const found = sizes(texts, (index) => (seed * index * 31) % 700, 60);
    let passed = 0;
    for (const size of found) {
      const characters = texts.slice(passed, passed + size).join('').length;
      expect(characters).toBeLessThanOrEqual(60);
      passed += size;
    }
    // Chunks must be well filled: a model works best with context.
    expect(found.length).toBeLessThan((2.2 * texts.join('').length) / 60 + 1);
  }
});
