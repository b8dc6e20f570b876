import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['port', 'port', 0],
  ['port', 'post', 1],
  ['port', 'ports', 1],
  ['level', 'levle', 1],
  ['ab', 'ba', 1],
  ['kitten', 'sitting', 3],
  ['abc', 'xyz', 3],
])('from %j to %j there are %d edits', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});

it('is infinite above the limit, and exact at it', () => {
  expect(editDistance('kitten', 'sitting', 3)).toBe(3);
  expect(editDistance('kitten', 'sitting', 2)).toBe(Infinity);
  expect(editDistance('a', 'abcd', 2)).toBe(Infinity);
});
