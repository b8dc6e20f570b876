import { describe, expect, it } from 'vitest';
import { resample } from './resample.ts';

const RATES_HZ = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];

const tone = (frequencyHz: number, rateHz: number, seconds = 1) =>
  Float32Array.from(
    { length: Math.round(rateHz * seconds) },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz),
  );

/**
 * Returns the largest difference, without the ends, where the filter has input on one side only.
 */
function worstDifference(actual: Float32Array, expected: Float32Array): number {
  let worst = 0;
  for (let i = 300; i < expected.length - 300; i += 1) worst = Math.max(worst, Math.abs(actual[i]! - expected[i]!));
  return worst;
}

const levelOf = (samples: Float32Array) =>
  Math.sqrt(samples.slice(300, -300).reduce((sum, sample) => sum + sample * sample, 0) / (samples.length - 600));

describe.each(RATES_HZ)('sound of %i Hz', (fromHz) => {
  it.each(RATES_HZ)('has the same duration at %i Hz', (toHz) => {
    for (const seconds of [0, 1, 2]) {
      expect(resample(new Float32Array(fromHz * seconds), fromHz, toHz)).toHaveLength(toHz * seconds);
    }
  });
});

it.each([
  [11_025, 48_000],
  [44_100, 16_000],
])('ten seconds of %i Hz are as long at %i Hz', (fromHz, toHz) => {
  expect(resample(new Float32Array(fromHz * 10), fromHz, toHz)).toHaveLength(toHz * 10);
});

describe.each([
  [16_000, 24_000],
  [24_000, 16_000],
  [44_100, 16_000],
  [48_000, 16_000],
  [16_000, 44_100],
])('from %i Hz to %i Hz', (fromHz, toHz) => {
  it.each([50, 440, 1_000, 3_000])('a tone of %i Hz is what its formula gives', (frequencyHz) => {
    const resampled = resample(tone(frequencyHz, fromHz), fromHz, toHz);
    expect(worstDifference(resampled, tone(frequencyHz, toHz))).toBeLessThan(1e-4);
  });

  it('steady sound keeps its level', () => {
    const resampled = resample(new Float32Array(fromHz).fill(0.25), fromHz, toHz);
    expect(worstDifference(resampled, new Float32Array(toHz).fill(0.25))).toBeLessThan(2e-4);
  });

  it('silence stays silence', () => {
    expect(resample(new Float32Array(1_000), fromHz, toHz).every((sample) => sample === 0)).toBe(true);
  });
});

describe('frequencies that the lower rate cannot hold', () => {
  it.each([9_000, 10_000, 11_500])(
    'a tone of %i Hz disappears at 16 kHz instead of becoming another',
    (frequencyHz) => {
      expect(levelOf(resample(tone(frequencyHz, 24_000), 24_000, 16_000))).toBeLessThan(0.001);
    },
  );

  it.each([4_000, 6_000, 6_800])('a tone of %i Hz keeps its level within 0.2 dB', (frequencyHz) => {
    const level = levelOf(resample(tone(frequencyHz, 24_000), 24_000, 16_000));
    expect(Math.abs(20 * Math.log10(level / (0.5 * Math.SQRT1_2)))).toBeLessThan(0.2);
  });
});

it('the same rate gives the samples themselves', () => {
  const samples = tone(440, 16_000, 0.1);
  expect(resample(samples, 16_000, 16_000)).toBe(samples);
});

it('rates need not be whole numbers', () => {
  const resampled = resample(tone(440, 24_000), 24_000, 24_000 / 1.0595);
  expect(resampled).toHaveLength(Math.floor(24_000 / 1.0595));
  const expected = Float32Array.from(resampled, (_, i) => 0.5 * Math.sin((2 * Math.PI * 440 * 1.0595 * i) / 24_000));
  expect(worstDifference(resampled, expected)).toBeLessThan(1e-3);
});

it('sound shorter than the filter is resampled', () => {
  for (const length of [1, 2, 5, 31]) {
    const resampled = resample(new Float32Array(length).fill(0.5), 8_000, 24_000);
    expect(resampled).toHaveLength(length * 3);
    expect(resampled.every((sample) => Number.isFinite(sample) && Math.abs(sample) < 0.75)).toBe(true);
  }
});
