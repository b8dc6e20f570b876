import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { createRealFft } from './real-fft.ts';

const SIZES = [4, 8, 16, 64, 256, 6, 10, 20, 60, 90, 1_200];

function randomSignal(size: number, seed: number): Float64Array {
  const random = randomFrom(seed);
  return Float64Array.from({ length: size }, () => 2 * random() - 1);
}

/** Computes the transform by its definition. */
function directTransform(signal: Float64Array, bin: number): { re: number; im: number } {
  let re = 0;
  let im = 0;
  for (const [n, sample] of signal.entries()) {
    re += sample * Math.cos((2 * Math.PI * bin * n) / signal.length);
    im -= sample * Math.sin((2 * Math.PI * bin * n) / signal.length);
  }
  return { re, im };
}

function transform(signal: Float64Array) {
  const fft = createRealFft(signal.length);
  const re = new Float64Array(signal.length / 2 + 1);
  const im = new Float64Array(signal.length / 2 + 1);
  fft.forward(signal, re, im);
  return { fft, re, im };
}

describe.each(SIZES)('the transform of %i real samples', (size) => {
  it('has the bins of its definition, from 0 Hz to half the rate', () => {
    const signal = randomSignal(size, size);
    const { re, im } = transform(signal);
    for (let bin = 0; bin <= size / 2; bin += 1) {
      const expected = directTransform(signal, bin);
      expect(re[bin]).toBeCloseTo(expected.re, 9);
      expect(im[bin]).toBeCloseTo(expected.im, 9);
    }
  });

  it('gives the samples back, also when its tables are used again', () => {
    const first = transform(randomSignal(size, 7));
    for (const seed of [8, 9]) {
      const signal = randomSignal(size, seed);
      const back = new Float64Array(size);
      first.fft.forward(signal, first.re, first.im);
      first.fft.inverse(first.re, first.im, back);
      for (const [n, sample] of signal.entries()) expect(back[n]).toBeCloseTo(sample, 12);
    }
  });

  it('leaves its input as it was', () => {
    const signal = randomSignal(size, 3);
    const copy = signal.slice();
    transform(signal);
    expect(signal).toEqual(copy);
  });
});

it('refuses a size with a prime factor that it does not know', () => {
  expect(() => createRealFft(14)).toThrow('prime factors above 5');
});
