import FFT from 'fft.js';
import { createMixedRadixFft, type ComplexFft } from './mixed-radix-fft.ts';

/**
 * Transforms between `size` real samples and their `size / 2 + 1` bins, in buffers of the caller,
 * without allocations.
 */
type RealFft = {
  size: number;
  forward(signal: Float64Array, re: Float64Array, im: Float64Array): void;
  /** Inverts `forward`, including the scale. */
  inverse(re: Float64Array, im: Float64Array, signal: Float64Array): void;
};

/**
 * A real transform by a complex one of half the size: even samples as real parts, odd ones as
 * imaginary parts. The size is even, and half of it has no prime factor above 5.
 */
export function createRealFft(size: number): RealFft {
  const half = size / 2;
  const fft: ComplexFft = Number.isInteger(Math.log2(half)) ? new FFT(half) : createMixedRadixFft(half);
  const packed = new Float64Array(size);
  const cosines = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sines = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / size));
  return {
    size,
    forward(signal, re, im) {
      fft.transform(packed, signal);
      for (let k = 0; k <= half / 2; k += 1) {
        const mirror = half - k;
        const a = 2 * k;
        const b = k === 0 ? 0 : 2 * mirror;
        const evenRe = (packed[a]! + packed[b]!) / 2;
        const evenIm = (packed[a + 1]! - packed[b + 1]!) / 2;
        const oddRe = (packed[a + 1]! + packed[b + 1]!) / 2;
        const oddIm = (packed[b]! - packed[a]!) / 2;
        const c = cosines[k]!;
        const s = sines[k]!;
        const turnedRe = oddRe * c + oddIm * s;
        const turnedIm = oddIm * c - oddRe * s;
        re[k] = evenRe + turnedRe;
        im[k] = evenIm + turnedIm;
        re[mirror] = evenRe - turnedRe;
        im[mirror] = turnedIm - evenIm;
      }
    },
    inverse(re, im, signal) {
      for (let k = 0; k < half; k += 1) {
        const mirror = half - k;
        const evenRe = (re[k]! + re[mirror]!) / 2;
        const evenIm = (im[k]! - im[mirror]!) / 2;
        const differenceRe = (re[k]! - re[mirror]!) / 2;
        const differenceIm = (im[k]! + im[mirror]!) / 2;
        const c = cosines[k]!;
        const s = sines[k]!;
        const oddRe = differenceRe * c - differenceIm * s;
        const oddIm = differenceRe * s + differenceIm * c;
        packed[2 * k] = evenRe - oddIm;
        packed[2 * k + 1] = evenIm + oddRe;
      }
      fft.inverseTransform(signal, packed);
    },
  };
}
