import { describe, expect, test } from 'vitest';
import { contourAt, toneContour, type Contour } from './tone-contours.ts';

const STEADY = { previousTone: 0, isLast: false };
const cantonese = (tone: number) => toneContour('yue', tone, STEADY);
const mandarin = (tone: number, context: Partial<typeof STEADY> = {}) =>
  toneContour('cmn', tone, { ...STEADY, ...context });
const startOf = (contour: Contour) => contourAt(contour, 0);
const endOf = (contour: Contour) => contourAt(contour, 1);
const TONES = [1, 2, 3, 4, 5, 6];

/**
 * The tones are 55, 25, 33, 21, 23, 22 in Chao's tone letters of Cantonese (Bauer and Benedict,
 * 1997).
 */
describe('Cantonese tones', () => {
  test('level tones are level: 1, 3 and 6', () => {
    for (const tone of [1, 3, 6]) expect(Math.abs(endOf(cantonese(tone)) - startOf(cantonese(tone)))).toBeLessThan(1);
  });

  test('2 and 5 rise, 4 falls', () => {
    expect(endOf(cantonese(2))).toBeGreaterThan(startOf(cantonese(2)) + 5);
    expect(endOf(cantonese(5))).toBeGreaterThan(startOf(cantonese(5)) + 2);
    expect(endOf(cantonese(4))).toBeLessThan(startOf(cantonese(4)) - 1);
  });

  test('the ends are in order: 4 lowest, 6, 3, 5 about as high as 3, 1 and 2 highest', () => {
    const ends = new Map(TONES.map((tone) => [tone, endOf(cantonese(tone))]));
    expect(ends.get(4)!).toBeLessThan(ends.get(6)!);
    expect(ends.get(6)!).toBeLessThan(ends.get(3)!);
    expect(Math.abs(ends.get(5)! - ends.get(3)!)).toBeLessThan(1);
    expect(ends.get(1)!).toBeGreaterThan(ends.get(3)! + 3);
    expect(Math.abs(ends.get(2)! - ends.get(1)!)).toBeLessThan(1);
  });

  test('rises begin as low as 4', () => {
    for (const tone of [2, 5]) expect(startOf(cantonese(tone))).toBeLessThan(startOf(cantonese(6)));
  });

  test('an unknown tone is the middle one', () => {
    for (const tone of [0, 7, -1, Number.NaN]) expect(cantonese(tone)).toEqual(cantonese(3));
  });
});

/** The tones are 55, 35, 214, 51 (Chao, 1968); the low third tone within a phrase is 21. */
const after = (previousTone: number) => endOf(mandarin(5, { previousTone }));

describe('Mandarin tones', () => {
  test('1 is high and level, 2 rises, 3 is low, 4 falls', () => {
    expect(Math.abs(endOf(mandarin(1)) - startOf(mandarin(1)))).toBeLessThan(0.5);
    expect(endOf(mandarin(2))).toBeGreaterThan(startOf(mandarin(2)) + 4);
    expect(Math.max(startOf(mandarin(3)), endOf(mandarin(3)))).toBeLessThan(0);
    expect(endOf(mandarin(4))).toBeLessThan(startOf(mandarin(4)) - 7);
  });

  test('3 rises again only at the end of a phrase, late and little: it would be a second one', () => {
    expect(endOf(mandarin(3))).toBeLessThan(-4);
    const last = mandarin(3, { isLast: true });
    const lowest = Math.min(...last.map(([, semitones]) => semitones));
    expect(contourAt(last, 0.7)).toBeLessThan(lowest + 0.5);
    expect(endOf(last)).toBeGreaterThan(lowest + 1);
    expect(endOf(last)).toBeLessThan(lowest + 2);
  });

  test('a neutral tone is high after a third and low after a fourth', () => {
    expect(after(3)).toBeGreaterThan(Math.max(after(1), after(2), after(4)));
    expect(after(4)).toBeLessThan(Math.min(after(1), after(2), after(3)));
    // The contour is low where the voice of 上 begins: level and high it would be a first tone.
    expect(contourAt(mandarin(5, { previousTone: 3 }), 0.5)).toBeLessThan(-1.5);
  });

  test('a neutral tone after an unknown one is that of a beginning', () => {
    expect(mandarin(5, { previousTone: 9 })).toEqual(mandarin(5));
  });
});

describe('the value of a contour', () => {
  const contour: Contour = [
    [0, 2],
    [0.5, 4],
    [1, -2],
  ];
  test.each([
    [0, 2],
    [0.25, 3],
    [0.5, 4],
    [0.75, 1],
    [1, -2],
    [-1, 2],
    [2, -2],
  ])('at %d is %d', (share, semitones) => {
    expect(contourAt(contour, share)).toBeCloseTo(semitones, 9);
  });

  test('of a single point is its value, of none 0', () => {
    expect(contourAt([[0, 3]], 0.5)).toBe(3);
    expect(contourAt([], 0.5)).toBe(0);
  });

  test('at a step is no division by zero', () => {
    expect(
      contourAt(
        [
          [0, 1],
          [0, 5],
          [1, 5],
        ],
        0,
      ),
    ).toBe(1);
  });

  test('is within its targets everywhere, for all tones', () => {
    const all = [...TONES.map(cantonese), ...[1, 2, 3, 4, 5].map((tone) => mandarin(tone))];
    for (const toneContour of all) {
      const values = toneContour.map(([, semitones]) => semitones);
      for (let share = 0; share <= 1; share += 0.05) {
        expect(contourAt(toneContour, share)).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(contourAt(toneContour, share)).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      }
      expect(toneContour.map(([share]) => share)).toEqual(
        toneContour.map(([share]) => share).toSorted((a, b) => a - b),
      );
    }
  });
});
