import { sine } from './fast-math.ts';
import { HOP, SAMPLE_RATE_HZ } from './spectra.ts';

/** Pitch in hertz below which a frame has no voice, and the highest harmonic. */
const LEAST_PITCH_HZ = 40;
const TOP_HZ = 11_000;
/** Near a pulse the quotient of the sum has no value; its limit is taken instead. */
const NEAR_ZERO = 2e-3;

/**
 * All harmonics of a pitch below 11 kHz with amplitude 1: frames × `HOP` samples, 0 where there is
 * no voice. The pitch in hertz, one value a frame, is interpolated linearly between the middles of
 * the frames. Σ cos(ht) for h = 1 … H is sin((H + ½)t) / (2 sin(t/2)) − ½.
 */
export function pulseTrain(pitchHz: Float32Array): Float32Array {
  const samples = new Float32Array(pitchHz.length * HOP);
  let turns = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const place = (n + 0.5) / HOP - 0.5;
    const frame = Math.floor(place);
    const before = pitchHz[Math.max(0, frame)]!;
    const after = pitchHz[Math.min(pitchHz.length - 1, frame + 1)]!;
    const hz = before + (after - before) * (place - frame);
    turns += Math.max(LEAST_PITCH_HZ, hz) / SAMPLE_RATE_HZ;
    if (turns >= 1) turns -= Math.floor(turns);
    if (hz <= LEAST_PITCH_HZ) continue;
    const harmonics = Math.floor(TOP_HZ / hz) + 0.5;
    const divisor = 2 * sine(turns / 2);
    const sum = Math.abs(divisor) <= NEAR_ZERO ? harmonics : sine(harmonics * turns) / divisor;
    samples[n] = sum - 0.5;
  }
  return samples;
}
