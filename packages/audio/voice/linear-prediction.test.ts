import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { predictor, rootsOf } from './linear-prediction.ts';

/** A pair of conjugate poles at a radius and an angle. */
type Pole = readonly [radius: number, angle: number];

/** Returns the polynomial in z⁻¹ with these pairs of roots. */
function polynomial(poles: readonly Pole[]): number[] {
  let product = [1];
  for (const [radius, angle] of poles) {
    const factor = [1, -2 * radius * Math.cos(angle), radius * radius];
    const next = Array.from({ length: product.length + 2 }, () => 0);
    for (const [i, a] of product.entries()) for (const [j, b] of factor.entries()) next[i + j]! += a * b;
    product = next;
  }
  return product;
}

/** Computes the autocorrelation of the impulse response of 1 / (1 + a1·z⁻¹ + …). */
function autocorrelation(coefficients: readonly number[], lags: number): Float64Array {
  const response: number[] = [];
  for (let n = 0; n < 4_000; n += 1) {
    let value = n === 0 ? 1 : 0;
    for (let i = 1; i < coefficients.length; i += 1) value -= coefficients[i]! * (response[n - i] ?? 0);
    response.push(value);
  }
  return Float64Array.from({ length: lags + 1 }, (_, lag) =>
    response.reduce((sum, value, n) => sum + value * (response[n + lag] ?? 0), 0),
  );
}

const VOWEL: readonly Pole[] = [
  [0.97, 0.4],
  [0.95, 1.1],
  [0.9, 2],
];

describe('the all-pole model', () => {
  it('is the filter that made the sound', () => {
    const filter = polynomial(VOWEL);
    const coefficients = predictor(autocorrelation(filter, 6), 6);
    for (const [i, coefficient] of filter.entries()) expect(coefficients[i]).toBeCloseTo(coefficient, 6);
  });

  it('of a higher order adds nothing', () => {
    const coefficients = predictor(autocorrelation(polynomial(VOWEL), 10), 10);
    for (const coefficient of coefficients.subarray(7)) expect(Math.abs(coefficient)).toBeLessThan(1e-4);
  });

  it('solves the normal equations of any sound', () => {
    const random = randomFrom(5);
    const samples = Array.from({ length: 200 }, () => random() - 0.5);
    const lags = Float64Array.from({ length: 9 }, (_, lag) =>
      samples.reduce((sum, value, n) => sum + value * (samples[n + lag] ?? 0), 0),
    );
    const coefficients = predictor(lags, 8);
    for (let row = 1; row <= 8; row += 1) {
      let sum = 0;
      for (let i = 0; i <= 8; i += 1) sum += coefficients[i]! * lags[Math.abs(row - i)]!;
      expect(Math.abs(sum)).toBeLessThan(1e-9 * lags[0]!);
    }
  });

  it('of silence predicts nothing', () => {
    expect([...predictor(new Float64Array(5), 4)]).toEqual([1, 0, 0, 0, 0]);
  });
});

describe('the roots of a polynomial', () => {
  it('are the poles it was made of', () => {
    const roots = rootsOf(Float64Array.from(polynomial(VOWEL)));
    const foundRoots = Array.from({ length: 6 }, (_, i) => [
      Math.hypot(roots[2 * i]!, roots[2 * i + 1]!),
      Math.abs(Math.atan2(roots[2 * i + 1]!, roots[2 * i]!)),
    ]).sort((a, b) => a[1]! - b[1]!);
    for (const [i, [radius, angle]] of VOWEL.entries()) {
      for (const root of foundRoots.slice(2 * i, 2 * i + 2)) {
        expect(root[0]).toBeCloseTo(radius, 6);
        expect(root[1]).toBeCloseTo(angle, 6);
      }
    }
  });

  it('include real ones', () => {
    // The polynomial is (1 − 0.5·z⁻¹)(1 + 0.8·z⁻¹).
    const roots = rootsOf(Float64Array.of(1, 0.3, -0.4));
    expect([roots[0]!, roots[2]!].sort((a, b) => a - b)).toEqual([expect.closeTo(-0.8, 6), expect.closeTo(0.5, 6)]);
    expect(Math.abs(roots[1]!) + Math.abs(roots[3]!)).toBeLessThan(1e-6);
  });

  it('of a constant are none', () => {
    expect(rootsOf(Float64Array.of(1))).toHaveLength(0);
  });
});
