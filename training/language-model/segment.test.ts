import { expect, test } from 'vitest';
import { createSegmenter } from './segment.ts';

const segment = createSegmenter(
  new Map([
    ['香港', 100],
    ['香', 10],
    ['港', 10],
    ['人', 100],
    ['港人', 30],
  ]),
  6,
);

test('the likeliest segmentation is chosen', () => {
  expect(segment('香港人')).toEqual(['香港', '人']);
});

test('unknown characters are separate words', () => {
  expect(segment('香港𨋢人')).toEqual(['香港', '𨋢', '人']);
  expect(segment('')).toEqual([]);
});
