import FFT from 'fft.js';
import { NOISE_BAND_EDGES_HZ, NOISE_BANDS, VOCODER_SAMPLE_RATE_HZ } from './speech-frames.ts';

const LARGE = 1_024;
const SMALL = 512;
const HANN_STEPS = 4_096;
/**
 * Natural difference between neighboring periods of a clean voice: vowels move and pitch glides.
 */
const NATURAL_CHANGE = 0.04;
/**
 * Coherence of two windows of pure noise: they overlap by half, and a band has few independent
 * bins.
 */
const OVERLAP_COHERENCE = 0.03;
const COHERENCE_PER_BIN = 0.8;

/** Writes the share of noise in each band around a sample into `output` from `offset` on. */
type NoiseAnalyzer = (
  samples: Float32Array,
  center: number,
  pitchHz: number,
  output: Float32Array,
  offset: number,
) => void;

/**
 * Estimates the share of noise in a voice, band by band: one minus the coherence of the signal with
 * itself a period later. Follows the idea of band aperiodicity in WORLD (M. Morise, "D4C, a
 * band-aperiodicity estimator for high-quality speech synthesis", Speech Communication 84, 2016)
 * with a cheaper measure: both periods go through one complex transform, and the magnitude of their
 * cross spectrum in a band is compared with their power, so that a pitch error changes only the
 * phase.
 */
export function createNoiseAnalyzer(): NoiseAnalyzer {
  const transforms = [createPair(SMALL), createPair(LARGE)] as const;
  return (samples, center, pitchHz, output, offset) => {
    const period = VOCODER_SAMPLE_RATE_HZ / pitchHz;
    const pair = 2 * period + 2 <= SMALL ? transforms[0] : transforms[1];
    pair.fill(samples, Math.round(center - period / 2), Math.round(center + period / 2), period);
    const hzPerBin = VOCODER_SAMPLE_RATE_HZ / pair.size;
    for (let band = 0; band < NOISE_BANDS; band += 1) {
      const lowHz = Math.max(NOISE_BAND_EDGES_HZ[band]!, 0.5 * pitchHz);
      const highHz = NOISE_BAND_EDGES_HZ[band + 1]!;
      const coherence = pair.coherence(Math.round(lowHz / hzPerBin), Math.round(highHz / hzPerBin));
      const ofNoise = Math.sqrt(OVERLAP_COHERENCE + Math.min(0.6, (COHERENCE_PER_BIN * pitchHz) / (highHz - lowHz)));
      const share = (1 - coherence - NATURAL_CHANGE) / (1 - ofNoise - NATURAL_CHANGE);
      output[offset + band] = Math.min(1, Math.max(0, share));
    }
  };
}

const hann = Float64Array.from({ length: HANN_STEPS + 2 }, (_, i) => 0.5 + 0.5 * Math.cos((Math.PI * i) / HANN_STEPS));

/**
 * Holds two windowed stretches of sound in one complex transform: one in the real parts, one in the
 * imaginary ones.
 */
function createPair(size: number) {
  const fft = new FFT(size);
  const input = new Float64Array(2 * size);
  const spectrum = new Float64Array(2 * size);
  return {
    size,
    fill(samples: Float32Array, firstCenter: number, secondCenter: number, period: number): void {
      const half = Math.min(size / 2 - 1, Math.round(period));
      const scale = HANN_STEPS / (half + 1);
      input.fill(0);
      for (let i = -half; i <= half; i += 1) {
        const weight = hann[Math.round(Math.abs(i) * scale)]!;
        const first = firstCenter + i;
        const second = secondCenter + i;
        const at = 2 * (i + half);
        input[at] = first >= 0 && first < samples.length ? samples[first]! * weight : 0;
        input[at + 1] = second >= 0 && second < samples.length ? samples[second]! * weight : 0;
      }
      fft.transform(spectrum, input);
    },
    /** Computes |Σ A·B*| / √(Σ|A|² Σ|B|²) over the bins, 0..1. */
    coherence(fromBin: number, toBin: number): number {
      let crossRe = 0;
      let crossIm = 0;
      let powerA = 1e-12;
      let powerB = 1e-12;
      for (let k = Math.max(1, fromBin); k < Math.min(toBin, size / 2); k += 1) {
        const mirror = 2 * (size - k);
        const zRe = spectrum[2 * k]!;
        const zIm = spectrum[2 * k + 1]!;
        const mRe = spectrum[mirror]!;
        const mIm = spectrum[mirror + 1]!;
        // The formulas are A = (Z + M*)/2 and B = (Z − M*)/2j; the halves cancel in the ratio.
        const aRe = zRe + mRe;
        const aIm = zIm - mIm;
        const bRe = zIm + mIm;
        const bIm = mRe - zRe;
        crossRe += aRe * bRe + aIm * bIm;
        crossIm += aIm * bRe - aRe * bIm;
        powerA += aRe * aRe + aIm * aIm;
        powerB += bRe * bRe + bIm * bIm;
      }
      return Math.sqrt((crossRe * crossRe + crossIm * crossIm) / (powerA * powerB));
    },
  };
}
