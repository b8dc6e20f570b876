import { describe, expect, it } from 'vitest';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { ENVELOPE_BINS, HZ_PER_BIN, NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';
import {
  addBands,
  bandCentersHz,
  bandsOfWarped,
  melToNoiseBands,
  noiseBandsToMel,
  toBands,
  toBins,
} from './mel-bands.ts';

const bandsOf = (envelopeDb: Float32Array, offset = 0) => {
  const bands = new Float64Array(VOICE_BANDS.count);
  toBands(envelopeDb, offset, bands);
  return bands;
};

describe('the bands of a voice', () => {
  it('are evenly spaced in mels within the range of the contract', () => {
    const mels = bandCentersHz.map((hz) => 2_595 * Math.log10(1 + hz / 700));
    const steps = mels.slice(1).map((mel, i) => mel - mels[i]!);
    for (const step of steps) expect(step).toBeCloseTo(steps[0]!, 6);
    expect(bandCentersHz[0]).toBeGreaterThan(VOICE_BANDS.lowHz);
    expect(bandCentersHz.at(-1)).toBeLessThan(VOICE_BANDS.highHz);
  });

  it('of a level spectrum have its level, wherever it lies in a list of frames', () => {
    const frames = new Float32Array(2 * ENVELOPE_BINS).fill(-30, ENVELOPE_BINS);
    for (const level of bandsOf(frames, ENVELOPE_BINS)) expect(level).toBeCloseTo(-30, 5);
  });

  it('are written from the given place on', () => {
    const output = new Float64Array(2 * VOICE_BANDS.count).fill(7);
    toBands(new Float32Array(ENVELOPE_BINS).fill(-20), 0, output, VOICE_BANDS.count);
    expect(output[VOICE_BANDS.count - 1]).toBe(7);
    expect(output[VOICE_BANDS.count]).toBeCloseTo(-20, 5);
  });

  it('show a peak in the band of its frequency', () => {
    for (const [band, hz] of bandCentersHz.entries()) {
      const envelope = Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => -Math.abs(bin * HZ_PER_BIN - hz) / 20);
      const bands = bandsOf(envelope);
      expect(bands.indexOf(Math.max(...bands))).toBe(band);
    }
  });
});

describe('a correction by bands', () => {
  const bands = Float64Array.from({ length: VOICE_BANDS.count }, (_, band) => Math.sin(band) * 10);

  it('is exact in the middle of each band, and flat beyond the outermost', () => {
    const bins = toBins(bands);
    for (const [band, hz] of bandCentersHz.entries()) {
      const place = hz / HZ_PER_BIN;
      const lower = Math.floor(place);
      const neighbors = [bins[lower]!, bins[lower + 1]!];
      // Interpolation between two bins of a bent line leaves a small error.
      expect(bands[band]).toBeGreaterThan(Math.min(...neighbors) - 1.5);
      expect(bands[band]).toBeLessThan(Math.max(...neighbors) + 1.5);
    }
    expect(bins[0]).toBeCloseTo(bands[0]!, 9);
    expect(bins[ENVELOPE_BINS - 1]).toBeCloseTo(bands.at(-1)!, 9);
  });

  it('is added to what is there, in one frame only', () => {
    const frames = new Float32Array(3 * ENVELOPE_BINS).fill(-50);
    addBands(frames, ENVELOPE_BINS, bands);
    const bins = toBins(bands);
    for (let bin = 0; bin < ENVELOPE_BINS; bin += 1) {
      expect(frames[bin]).toBe(-50);
      expect(frames[ENVELOPE_BINS + bin]).toBeCloseTo(-50 + bins[bin]!, 3);
      expect(frames[2 * ENVELOPE_BINS + bin]).toBe(-50);
    }
  });

  it('of a spectrum that was not moved is nearly itself', () => {
    const still = Float64Array.from({ length: ENVELOPE_BINS }, (_, bin) => bin);
    const slope = bandCentersHz.map((_, band) => -0.5 * band);
    for (const [band, level] of bandsOfWarped(slope, still).entries()) {
      expect(Math.abs(level - slope[band]!)).toBeLessThan(0.3);
    }
  });
});

describe('shares of noise', () => {
  it('keep a constant share and rise where they rose', () => {
    expect(noiseBandsToMel(new Float64Array(NOISE_BANDS).fill(0.4))).toEqual(
      Array.from({ length: VOICE_BANDS.count }, () => expect.closeTo(0.4, 9) as number),
    );
    const rising = melToNoiseBands(bandCentersHz.map((hz) => hz / 10_000));
    expect(rising).toHaveLength(NOISE_BANDS);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  });
});
