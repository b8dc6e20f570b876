import { expect, it } from 'vitest';
import { doubtsOf, nextDoubt } from './doubts.ts';
import type { EditedSegment } from './editor.ts';

/** A segment of which each character has a confidence. */
function sure(key: number, text: string, confidences: readonly number[]): EditedSegment {
  const characters = confidences.map((confidence, at) => ({
    text: text[at] ?? '',
    start: at,
    end: at + 1,
    confidence,
  }));
  return { key, text, start: 0, end: 9, speaker: null, words: [{ text, start: 0, end: 9, confidence: 1, characters }] };
}

const SEGMENTS = [sure(7, '早晨大家', [1, 0.5, 0.5, 0.3]), sure(3, '好', [1]), sure(9, '再見', [0.1, 1])];

it('joins uncertain neighbours of one kind', () => {
  expect(doubtsOf(SEGMENTS[0]!)).toEqual([
    { from: 1, to: 3, kind: 'doubt', time: 1 },
    { from: 3, to: 4, kind: 'doubt much', time: 3 },
  ]);
});

it('goes to the next and the previous one, and on at the other end', () => {
  const step = (key: number, from: number, by: 1 | -1) => {
    const place = nextDoubt(SEGMENTS, { key, from }, by);
    return [place?.key, place?.from];
  };
  expect(step(-1, 0, 1)).toEqual([7, 1]);
  expect(step(7, 1, 1)).toEqual([7, 3]);
  expect(step(7, 3, 1)).toEqual([9, 0]);
  expect(step(9, 0, 1)).toEqual([7, 1]);
  expect(step(7, 1, -1)).toEqual([9, 0]);
  expect(step(3, 0, -1)).toEqual([7, 3]);
  expect(nextDoubt([SEGMENTS[1]!], { key: 3, from: 0 }, 1)).toBeNull();
});
