import { expect, it } from 'vitest';
import { gainFor } from './loudness.ts';

const inDb = (pitchMedianHz: number) => 20 * Math.log10(gainFor({ pitchMedianHz }, 3));

it('lower voices get more gain, up to a limit', () => {
  expect(inDb(226)).toBeCloseTo(3);
  expect(inDb(113)).toBeCloseTo(4.75);
  expect(inDb(452)).toBeCloseTo(1.25);
  expect(inDb(30)).toBeCloseTo(5.625);
});
