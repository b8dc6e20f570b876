import { createRealFft } from '@jyutsing/audio/vocoder/real-fft';

const SIZE = 1_024;
export const BINS = SIZE / 2 + 1;
const FLOOR = 1e-4;

/** Spectral envelopes by the cepstrum, with buffers of its own. */
export function createEnvelopes() {
  const fft = createRealFft(SIZE);
  const signal = new Float64Array(SIZE);
  const re = new Float64Array(BINS);
  const im = new Float64Array(BINS);
  const zeros = new Float64Array(BINS);
  const spare = new Float64Array(BINS);

  return {
    re,
    im,
    /** Transforms sound of at most 1,024 samples into `re` and `im`. */
    analyze(sound: Float32Array | Float64Array): void {
      signal.fill(0);
      signal.set(sound.length > SIZE ? sound.subarray(0, SIZE) : sound);
      fft.forward(signal, re, im);
    },
    /** The smooth logarithmic envelope of the spectrum in `re` and `im`, which stay. */
    envelope(into: Float64Array, keep: number): void {
      for (let k = 0; k < BINS; k += 1) into[k] = 0.5 * Math.log(re[k]! * re[k]! + im[k]! * im[k]! + FLOOR * FLOOR);
      fft.inverse(into, zeros, signal);
      signal.fill(0, keep, SIZE - keep + 1);
      fft.forward(signal, into, spare);
    },
    /** Multiplies the spectrum by the exponential of `change`, and returns its sound. */
    shape(change: Float64Array): Float64Array {
      for (let k = 0; k < BINS; k += 1) {
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
