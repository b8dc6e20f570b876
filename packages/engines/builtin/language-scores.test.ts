import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { LanguageCalibration, likeliest } from './language-scores.ts';

/** Each language has its own input; Mandarin and English are unlikely in unfamiliar voices. */
const CALIBRATION: LanguageCalibration = {
  weights: { cantonese: [1, 0, 0, 0], mandarin: [0, 1, 0, 0], english: [0, 0, 1, 0] },
  prior: { cantonese: 0, mandarin: -2, english: -4 },
  unfamiliar: [1, 2],
};
const identify = (
  values: number[],
  unfamiliarity: number,
  among = LANGUAGES as readonly (typeof LANGUAGES)[number][],
) => likeliest({ values: [...values, 1], unfamiliarity }, CALIBRATION, among);

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

  it('applies the prior to unfamiliar voices, in part between the bounds', () => {
    const values = [0, 1.5, 3];
    expect(identify(values, 1)?.language).toBe('english');
    expect(identify(values, 1.5)?.language).toBe('english');
    expect(identify(values, 2)?.language).toBe('cantonese');
    expect(identify(values, 99)?.language).toBe('cantonese');
    expect(identify([0, 1.5, 0], 1.5)?.language).toBe('mandarin');
    expect(identify([0, 1.5, 0], 2)?.language).toBe('cantonese');
  });

  it('chooses among the given languages only', () => {
    expect(identify([0, 1, 9], 0, ['cantonese', 'mandarin'])?.language).toBe('mandarin');
    expect(identify([0, 1, 9], 0, ['english'])).toEqual({ language: 'english', confidence: 1 });
    expect(identify([0, 1, 9], 0, [])).toBeNull();
  });
});
