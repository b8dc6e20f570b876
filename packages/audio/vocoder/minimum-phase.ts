import { createRealFft } from '@jyutsing/numeric/real-fft';
import { ENVELOPE_BINS, TRANSFORM_SIZE } from './speech-frames.ts';

const NEPERS_PER_DB = Math.LN10 / 20;

/**
 * Fills the natural logarithm of the amplitude and the phase (radians) of the minimum-phase filter
 * with this envelope (dB of power).
 */
type MinimumPhase = (envelopeDb: Float32Array, logAmplitude: Float64Array, phase: Float64Array) => void;

/**
 * Computes minimum phase from the folded cepstrum (Oppenheim & Schafer, "Discrete-Time Signal
 * Processing"). Both results are linear in the envelope, so frames can be interpolated by mixing
 * them.
 */
export function createMinimumPhase(): MinimumPhase {
  const fft = createRealFft(TRANSFORM_SIZE);
  const signal = new Float64Array(TRANSFORM_SIZE);
  const re = new Float64Array(ENVELOPE_BINS);
  const im = new Float64Array(ENVELOPE_BINS);
  return (envelopeDb, logAmplitude, phase) => {
    const half = TRANSFORM_SIZE / 2;
    for (let k = 0; k < ENVELOPE_BINS; k += 1) {
      const value = envelopeDb[k]! * NEPERS_PER_DB;
      logAmplitude[k] = value;
      signal[k] = value;
      if (k > 0) signal[TRANSFORM_SIZE - k] = value;
    }
    fft.forward(signal, re, im);
    // `re` is now the cepstrum times the size. The odd part of the folded one has the phase as its
    // transform.
    signal[0] = 0;
    signal[half] = 0;
    for (let n = 1; n < half; n += 1) {
      const value = re[n]! / TRANSFORM_SIZE;
      signal[n] = value;
      signal[TRANSFORM_SIZE - n] = -value;
    }
    fft.forward(signal, re, im);
    phase.set(im);
  };
}
