import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENVELOPE_BINS, HZ_PER_BIN } from '#audio/vocoder/speech-frames.ts';
import { formantWarp, warpEnvelope } from './formant-warp.ts';

const NEUTRAL = [500, 1_500, 2_500];

/** Makes an envelope with one peak. */
const peakAt = (hz: number) =>
  Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => -(((bin * HZ_PER_BIN - hz) / 100) ** 2));

const placeOfPeak = (envelope: Float32Array) => envelope.indexOf(Math.max(...envelope)) * HZ_PER_BIN;

describe('a change of the vocal tract', () => {
  it('to itself changes nothing', () => {
    const envelope = peakAt(1_500);
    const warped = envelope.slice();
    warpEnvelope(warped, formantWarp(NEUTRAL, NEUTRAL));
    for (const [bin, level] of warped.entries()) expect(level).toBeCloseTo(envelope[bin]!, 3);
  });

  it.each([
    ['a shorter one', [575, 1_725, 2_875]],
    ['a longer one', [425, 1_275, 2_125]],
    ['another vowel', [600, 1_400, 2_600]],
  ])('to %s moves each formant to its new place', (_name, target) => {
    const warp = formantWarp(NEUTRAL, target);
    for (const [i, hz] of NEUTRAL.entries()) {
      const envelope = peakAt(hz);
      warpEnvelope(envelope, warp);
      expect(Math.abs(placeOfPeak(envelope) - target[i]!)).toBeLessThanOrEqual(HZ_PER_BIN);
    }
  });

  it('beyond what throats have is limited', () => {
    const envelope = peakAt(500);
    warpEnvelope(envelope, formantWarp(NEUTRAL, [1_500, 4_500, 7_500]));
    expect(Math.abs(placeOfPeak(envelope) - 750)).toBeLessThanOrEqual(HZ_PER_BIN);
  });

  it('never lets two formants fall together', () => {
    const warp = formantWarp([700, 1_300, 2_500], [1_000, 1_010, 2_500]);
    const [first, second] = [700, 1_300].map((hz) => {
      const envelope = peakAt(hz);
      warpEnvelope(envelope, warp);
      return placeOfPeak(envelope);
    });
    expect(second! - first!).toBeGreaterThanOrEqual(0.4 * (1_300 - 700) - HZ_PER_BIN);
  });

  it('between any two voices keeps the order of frequencies and stays within the spectrum', () => {
    const formants = fc
      .tuple(
        fc.integer({ min: 200, max: 1_100 }),
        fc.integer({ min: 100, max: 2_300 }),
        fc.integer({ min: 100, max: 1_500 }),
      )
      .map(([first, second, third]) => [first, first + second, first + second + third]);
    fc.assert(
      fc.property(formants, formants, (source, target) => {
        const warp = formantWarp(source, target);
        expect(warp).toEqual(warp.toSorted());
        expect(warp[0]).toBeGreaterThanOrEqual(0);
        expect(warp[ENVELOPE_BINS - 1]).toBeLessThanOrEqual(ENVELOPE_BINS - 1);
      }),
      { numRuns: 60 },
    );
  });
});
