import { expect, it } from 'vitest';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { gainFor } from './loudness.ts';

const LOUDNESS = { gainDb: 3, byOctaveDb: 1.75, byBrightness: 0.5 };
/** About the bands of the shipped voices: high ones are quieter by so many dB. */
const bands = (fallDb: number) => Array.from({ length: VOICE_BANDS.count }, (_, band) => (band < 13 ? 0 : -fallDb));
const inDb = (pitchMedianHz: number, fallDb = 24) =>
  20 * Math.log10(gainFor({ pitchMedianHz, voicedBandsDb: bands(fallDb) }, LOUDNESS));

it('lower voices get more gain, up to a limit', () => {
  const usual = inDb(226);
  expect(inDb(113) - usual).toBeCloseTo(1.75);
  expect(inDb(452) - usual).toBeCloseTo(-1.75);
  expect(inDb(30) - usual).toBeCloseTo(2.625);
});

it('darker voices get more gain, up to a limit', () => {
  const brighter = inDb(226, 20);
  expect(inDb(226, 24) - brighter).toBeCloseTo(1.9, 1);
  expect(inDb(226, 90) - 3).toBeCloseTo(6, 1);
});
