import { expect, test } from 'vitest';
import { drawContour, targetContour } from './contour.ts';

test.each([
  ['level in the middle', [0, 0], /^[▄▅]{8}$/],
  ['rising', [-7, 7], /^▁▂▃▄▅▆▇█$/],
  ['falling out of range', [20, -20], /^█.*▁$/],
  ['a single point', [7], /^█{8}$/],
  ['no voice', [], /^$/],
])('a contour that is %s', (_name, semitones, drawn) => {
  expect(drawContour(semitones)).toMatch(drawn);
});

test('the targets are in the order of the tones', () => {
  const ends = [1, 2, 3, 4, 5, 6].map((tone) => targetContour('cantonese', tone));
  const [high, rising, middle, falling, lowRising, low] = ends.map((contour) => contour.at(-1)!);
  expect([high, rising, middle, lowRising, low, falling]).toEqual([6, 6, 0, 0, -3, -6]);
  expect(targetContour('mandarin', 3)).toHaveLength(3);
  expect(targetContour('cantonese', 9)).toEqual([]);
});

/** Whether the neutral tone after a tone falls (−1) or rises (1). */
function neutralMove(before?: number): number {
  const [from, to] = targetContour('mandarin', 5, before);
  return Math.sign(to! - from!);
}

test("Mandarin's neutral tone rises after a third tone and falls after others", () => {
  expect([undefined, 1, 2, 3, 4].map(neutralMove)).toEqual([-1, -1, -1, 1, -1]);
  expect(targetContour('mandarin', 5, 4)[0]).toBeLessThan(targetContour('mandarin', 5, 1)[0]!);
});
