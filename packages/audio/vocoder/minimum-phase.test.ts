import { describe, expect, it } from 'vitest';
import { createMinimumPhase } from './minimum-phase.ts';
import { ENVELOPE_BINS } from './speech-frames.ts';

const angleOf = (bin: number) => (Math.PI * bin) / (ENVELOPE_BINS - 1);

/**
 * Computes the response of 1 + a·z⁻¹ (a zero) or its inverse (a pole), both of minimum phase for
 * |a| < 1.
 */
function response(a: number, sign: 1 | -1, bin: number): { db: number; phase: number } {
  const re = 1 + a * Math.cos(angleOf(bin));
  const im = -a * Math.sin(angleOf(bin));
  return { db: sign * 10 * Math.log10(re * re + im * im), phase: sign * Math.atan2(im, re) };
}

function phaseOf(envelopeDb: Float32Array) {
  const logAmplitude = new Float64Array(ENVELOPE_BINS);
  const phase = new Float64Array(ENVELOPE_BINS);
  createMinimumPhase()(envelopeDb, logAmplitude, phase);
  return { logAmplitude, phase };
}

describe('the phase that belongs to an envelope', () => {
  it.each([
    ['a zero at low frequencies', -0.8, 1],
    ['a zero at high frequencies', 0.6, 1],
    ['a pole at low frequencies', -0.9, -1],
    ['a pole at high frequencies', 0.7, -1],
  ] as const)('of %s is that of its filter', (_name, a, sign) => {
    const { phase } = phaseOf(Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => response(a, sign, bin).db));
    for (let bin = 0; bin < ENVELOPE_BINS; bin += 16) {
      expect(phase[bin]).toBeCloseTo(response(a, sign, bin).phase, 3);
    }
  });

  it('is zero for a flat envelope, whatever its level', () => {
    const { logAmplitude, phase } = phaseOf(new Float32Array(ENVELOPE_BINS).fill(-40));
    for (const value of phase) expect(Math.abs(value)).toBeLessThan(1e-9);
    for (const value of logAmplitude) expect(Math.exp(value)).toBeCloseTo(0.01, 9);
  });

  it('is linear in the envelope, so that frames can be mixed', () => {
    const zero = Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => response(0.5, 1, bin).db);
    const pole = Float32Array.from({ length: ENVELOPE_BINS }, (_, bin) => response(-0.5, -1, bin).db);
    const half = phaseOf(zero.map((value, bin) => (value + pole[bin]!) / 2)).phase;
    const phases = [phaseOf(zero).phase, phaseOf(pole).phase] as const;
    for (let bin = 0; bin < ENVELOPE_BINS; bin += 8) {
      expect(half[bin]).toBeCloseTo((phases[0][bin]! + phases[1][bin]!) / 2, 5);
    }
  });
});
