import { createRealFft } from '@jyutsing/numeric/real-fft';

const FLOOR = 1e-4;

/**
 * Computes spectral envelopes by the cepstrum, in buffers that each call reuses. `size` is the
 * length of the transform in samples, a power of two; spectra have half as many bins and one.
 */
export function createEnvelopes(size: number) {
  const fft = createRealFft(size);
  const bins = size / 2 + 1;
  const signal = new Float64Array(size);
  const re = new Float64Array(bins);
  const im = new Float64Array(bins);
  const zeros = new Float64Array(bins);
  const spare = new Float64Array(bins);

  return {
    bins,
    re,
    im,
    /** Transforms sound of at most `size` samples into `re` and `im`. */
    analyze(sound: Float32Array | Float64Array): void {
      signal.fill(0);
      signal.set(sound.length > size ? sound.subarray(0, size) : sound);
      fft.forward(signal, re, im);
    },
    /** Writes the smooth logarithmic envelope of the spectrum in `re` and `im`, which stay. */
    envelope(into: Float64Array, keep: number): void {
      for (let k = 0; k < bins; k += 1) into[k] = 0.5 * Math.log(re[k]! * re[k]! + im[k]! * im[k]! + FLOOR * FLOOR);
      fft.inverse(into, zeros, signal);
      signal.fill(0, keep, size - keep + 1);
      fft.forward(signal, into, spare);
    },
    /** Multiplies the spectrum by the exponential of `change`, and returns the resulting sound. */
    shape(change: Float64Array): Float64Array {
      for (let k = 0; k < bins; k += 1) {
        const gain = Math.exp(change[k]!);
        re[k]! *= gain;
        im[k]! *= gain;
      }
      fft.inverse(re, im, signal);
      return signal;
    },
  };
}

export type Envelopes = ReturnType<typeof createEnvelopes>;
