import { describe, expect, it } from 'vitest';
import { correctedGain, createLoudnessMeter, gainFor, isLimited, type Loudness } from './loudness.ts';

const RATE_HZ = 48_000;
const sine = (amplitude: number, ms: number, hz = 997) =>
  Float32Array.from(
    { length: (RATE_HZ * ms) / 1_000 },
    (_, n) => amplitude * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
  );

function measure(...pieces: readonly Float32Array[]): Loudness {
  const meter = createLoudnessMeter(RATE_HZ);
  for (const piece of pieces) meter.push(piece);
  return meter.finish();
}

const db = (value: number) => 10 ** (value / 20);

describe('measured loudness', () => {
  it.each([0, -10, -23, -40])('of a tone of 997 Hz at %i dB is 3 LU below its peak, by the standard', (peakDb) => {
    const { integratedLufs, truePeakDb } = measure(sine(db(peakDb), 2_000));
    expect(integratedLufs).toBeCloseTo(peakDb - 3.01, 0.5);
    expect(truePeakDb).toBeCloseTo(peakDb, 0.5);
  });

  it('leaves pauses out', () => {
    const tone = sine(db(-20), 2_000);
    const { integratedLufs } = measure(tone, new Float32Array(RATE_HZ * 3), tone);
    expect(Math.abs(integratedLufs + 23)).toBeLessThan(0.5);
  });

  it('of a sound shorter than a block is that of a longer one', () => {
    expect(Math.abs(measure(sine(db(-20), 150)).integratedLufs + 23)).toBeLessThan(1);
  });

  it('does not depend on how the sound came', () => {
    const tone = sine(db(-20), 1_500);
    const pieces = Array.from({ length: 15 }, (_, index) => tone.subarray(index * 4_800, (index + 1) * 4_800));
    expect(measure(...pieces).integratedLufs).toBeCloseTo(measure(tone).integratedLufs, 1);
  });

  it('of silence and of nothing is none, and silence is not made louder', () => {
    for (const silent of [measure(new Float32Array(RATE_HZ)), measure(), measure(sine(1e-5, 1_000))]) {
      expect(silent.integratedLufs).toBe(-Infinity);
      expect(gainFor(silent)).toBe(0);
    }
  });
});

const loudness = (integratedLufs: number, truePeakDb = -10): Loudness => ({ integratedLufs, truePeakDb });

describe('the gain', () => {
  it.each([
    [-16, 0],
    [-26, 10],
    [-6, -10],
    [-56, 40],
    [-65, 40],
  ])('of a sound of %i LUFS is %i dB', (lufs, gainDb) => {
    expect(gainFor(loudness(lufs))).toBe(gainDb);
  });

  it('needs the limiter only where a peak would pass −1 dB', () => {
    expect(isLimited(loudness(-26, -11.1), 10)).toBe(false);
    expect(isLimited(loudness(-26, -10.9), 10)).toBe(true);
  });

  it('is corrected by what the limiter took, within 4 dB', () => {
    expect(correctedGain(10, loudness(-18))).toBe(12);
    expect(correctedGain(10, loudness(-30))).toBe(14);
    expect(correctedGain(10, loudness(-2))).toBe(6);
  });
});
