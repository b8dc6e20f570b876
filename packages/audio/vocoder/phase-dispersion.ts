import { createRandom } from '@jyutsing/numeric/random';
import { ENVELOPE_BINS, HZ_PER_BIN, VOCODER_SAMPLE_RATE_HZ } from './speech-frames.ts';

/** Phase rotation of a pulse per bin, as real and imaginary parts of unit complex numbers. */
type Dispersion = { re: Float64Array; im: Float64Array };

/** Number of pitch classes: between neighbors the phase difference is inaudible. */
const CLASSES = 60;
const MIN_HZ = 90;
const MAX_HZ = 700;
/**
 * Resonance and bandwidth of the open phase of the glottis, in pitches: an open quotient of 0.6 and
 * an asymmetry of 0.67.
 */
const GLOTTAL_RESONANCE = 0.85;
const GLOTTAL_BANDWIDTH = 0.96;
/** Above this frequency the phase of a real voice varies from cycle to cycle. */
const SPREAD_FROM_HZ = 2_000;
const SPREAD_MS = 0.2;
const SPREAD_KNOTS = 24;

/**
 * Computes the phase that turns minimum-phase pulses into a voice: the open phase of the glottis
 * grows towards the closure, so it is the maximum-phase part of a voice (B. Doval, C. d'Alessandro,
 * N. Henrich, "The voice source as a causal/anticausal linear filter", 2003). As an all-pass it
 * reverses the glottal resonance in time and keeps the spectrum. High frequencies are spread a
 * little.
 */
export function createDispersions(): (pitchHz: number) => Dispersion {
  const spread = spreadPhase();
  const classes: (Dispersion | undefined)[] = [];
  return (pitchHz) => {
    const position = Math.log(pitchHz / MIN_HZ) / Math.log(MAX_HZ / MIN_HZ);
    const index = Math.round(Math.min(1, Math.max(0, position)) * (CLASSES - 1));
    return (classes[index] ??= dispersionAt(MIN_HZ * (MAX_HZ / MIN_HZ) ** (index / (CLASSES - 1)), spread));
  };
}

function dispersionAt(pitchHz: number, spread: Float64Array): Dispersion {
  const radius = Math.exp((-Math.PI * GLOTTAL_BANDWIDTH * pitchHz) / VOCODER_SAMPLE_RATE_HZ);
  const angle = (2 * Math.PI * GLOTTAL_RESONANCE * pitchHz) / VOCODER_SAMPLE_RATE_HZ;
  const re = new Float64Array(ENVELOPE_BINS);
  const im = new Float64Array(ENVELOPE_BINS);
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const omega = (Math.PI * k) / (ENVELOPE_BINS - 1);
    // Phase of 1 − 2r·cos(a)·e^−jω + r²·e^−2jω, twice: minimum phase taken off, maximum phase put
    // on.
    const realPart = 1 - 2 * radius * Math.cos(angle) * Math.cos(omega) + radius * radius * Math.cos(2 * omega);
    const imaginaryPart = 2 * radius * Math.cos(angle) * Math.sin(omega) - radius * radius * Math.sin(2 * omega);
    const phase = 2 * Math.atan2(imaginaryPart, realPart) + spread[k]!;
    re[k] = Math.cos(phase);
    im[k] = Math.sin(phase);
  }
  return { re, im };
}

/** Integrates a smooth random group delay; fixed, so that a voice sounds the same each time. */
function spreadPhase(): Float64Array {
  const random = createRandom(0x5eed);
  const delays = Float64Array.from({ length: SPREAD_KNOTS + 2 }, () => 1.7 * (2 * random() - 1));
  const phase = new Float64Array(ENVELOPE_BINS);
  let total = 0;
  for (let k = 1; k < ENVELOPE_BINS; k += 1) {
    const at = (k / ENVELOPE_BINS) * SPREAD_KNOTS;
    const knot = Math.floor(at);
    const blend = 0.5 - 0.5 * Math.cos(Math.PI * (at - knot));
    const delay = delays[knot]! + (delays[knot + 1]! - delays[knot]!) * blend;
    const share = Math.min(1, Math.max(0, (k * HZ_PER_BIN) / SPREAD_FROM_HZ - 0.5));
    total -= 2 * Math.PI * HZ_PER_BIN * (SPREAD_MS / 1_000) * delay * share;
    phase[k] = total;
  }
  return phase;
}
