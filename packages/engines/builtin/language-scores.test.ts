import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { LanguageCalibration, likeliest } from './language-scores.ts';

/** Each language has an input of its own, and one of the listener. */
const CALIBRATION: LanguageCalibration = {
  weights: { cantonese: [1, 0, 0, 0], mandarin: [0, 1, 0, 0], english: [0, 0, 1, 0] },
  people: { cantonese: [1, 0, 0, 0], mandarin: [0, 1, 0, 0], english: [0, 0, 1, 0] },
  unfamiliar: [1, 2],
};
const identify = (
  values: number[],
  unfamiliarity: number,
  among = LANGUAGES as readonly (typeof LANGUAGES)[number][],
  hearing: { comparisons: number[]; readings: number } | null = null,
) => likeliest({ values: [...values, 1], unfamiliarity }, hearing, CALIBRATION, among);

const byReadings = (readings: number, english: number) =>
  identify([0, 0, 0], 9, LANGUAGES, { comparisons: [2, 4, english, 1], readings })?.language;

describe('a calibration', () => {
  const path = join(import.meta.dirname, '../../../models/language-identifier.json');

  it('of a version with other inputs is refused', async () => {
    const shipped = LanguageCalibration.parse(JSON.parse(await readFile(path, 'utf8')));
    const shorter = { ...shipped, weights: { ...shipped.weights, english: shipped.weights.english.slice(0, 14) } };
    expect(LanguageCalibration.safeParse(shorter).success).toBe(false);
  });
});

describe('the decision on a language', () => {
  it('takes the most probable one, with its share as confidence', () => {
    expect(identify([0, Math.log(3), 0], 0)).toEqual({ language: 'mandarin', confidence: expect.closeTo(3 / 5) });
  });

  it('asks the listener about unfamiliar voices, in part between the bounds', () => {
    const byListener = (unfamiliarity: number) =>
      identify([0, 2, 3], unfamiliarity, LANGUAGES, { comparisons: [6, 2, 0, 1], readings: 0 })?.language;
    expect([1, 1.5, 2, 99].map(byListener)).toEqual(['english', 'cantonese', 'cantonese', 'cantonese']);
    expect(identify([0, 2, 3], 99)?.language).toBe('english');
  });

  it('takes the kind of Chinese whose reading fits the sound, unless the listener hears English', () => {
    expect([-2, 0, 2].map((readings) => byReadings(readings, 0))).toEqual(['mandarin', 'mandarin', 'cantonese']);
    expect(byReadings(2, 6)).toBe('english');
  });

  it('chooses among the given languages only', () => {
    expect(identify([0, 1, 9], 0, ['cantonese', 'mandarin'])?.language).toBe('mandarin');
    expect(identify([0, 1, 9], 0, ['english'])).toEqual({ language: 'english', confidence: 1 });
    expect(identify([0, 1, 9], 0, [])).toBeNull();
  });
});
