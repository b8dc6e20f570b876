import { expect, it } from 'vitest';
import { blocksOf, isChanged, withRecognized } from './compare.ts';
import type { EditedSegment } from './editor.ts';

const segmentOf = (key: number, text: string, start: number, end: number): EditedSegment => ({
  key,
  text,
  start,
  end,
  speaker: null,
  words: [],
});
const RECOGNIZED = [segmentOf(0, '早晨', 0, 1), segmentOf(1, '大家好', 2, 4), segmentOf(2, '再見', 5, 6)];
const PRESENT = [segmentOf(0, '早晨', 0, 1), segmentOf(3, '大家', 2, 3), segmentOf(4, '好', 3, 4)];
const texts = (segments: readonly EditedSegment[]) => segments.map(({ text }) => text);

it('pairs what was recognized with what stands there now', () => {
  const blocks = blocksOf(RECOGNIZED, PRESENT);
  expect(blocks.map(({ recognized, present }) => [texts(recognized), texts(present)])).toEqual([
    [['早晨'], ['早晨']],
    [['大家好'], ['大家', '好']],
    [['再見'], []],
  ]);
  expect(blocks.map(isChanged)).toEqual([false, true, true]);
});

it('takes back one block, a deleted one too', () => {
  const [, split, deleted] = blocksOf(RECOGNIZED, PRESENT);
  const back = withRecognized(PRESENT, split!);
  expect(back.map(({ key, text }) => [key, text])).toEqual([
    [0, '早晨'],
    [5, '大家好'],
  ]);
  expect(withRecognized(back, deleted!).map(({ text }) => text)).toEqual(['早晨', '大家好', '再見']);
});
