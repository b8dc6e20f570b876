import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createResampler } from '@jyutsing/audio/resample';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { addInRoom, addNoise, makeRoom } from '../diarization/room.ts';
import { createRandom } from '#packages/numeric/random.ts';

/** Recording conditions. */
export const CONDITIONS = ['clean', 'noise 10 dB below', 'telephone', 'room'] as const;
export type Condition = (typeof CONDITIONS)[number];

const NOISE_BELOW_DB = 10;
const TELEPHONE_RATE_HZ = 8_000;
/** Lower edge of the telephone band (ITU-T G.712). */
const TELEPHONE_FROM_HZ = 300;

/**
 * Simulates noise, a telephone line or a room on 16 kHz mono audio; deterministic for the same
 * `seed`.
 */
export function degrade(samples: Float32Array, condition: Condition, seed: number): Float32Array {
  const random = createRandom(seed);
  if (condition === 'clean') return samples;
  if (condition === 'telephone') return throughTelephone(samples);
  if (condition === 'room') {
    const target = new Float32Array(samples.length);
    addInRoom(target, samples, 0, 0.7, makeRoom(random));
    return target;
  }
  const target = Float32Array.from(samples);
  addNoise(target, speechLevelDb(samples) - NOISE_BELOW_DB, random);
  return target;
}

/** Mean power of 10 ms frames above −50 dB, in dB of full scale. */
export function speechLevelDb(samples: Float32Array): number {
  const step = RECOGNIZER_SAMPLE_RATE_HZ / 100;
  let [power, count] = [0, 0];
  for (let from = 0; from + step <= samples.length; from += step) {
    const here = samples.subarray(from, from + step).reduce((sum, value) => sum + value * value, 0) / step;
    if (here < 1e-5) continue;
    power += here;
    count += 1;
  }
  return 10 * Math.log10(count === 0 ? 1e-10 : power / count);
}

function throughTelephone(samples: Float32Array): Float32Array {
  const narrow = resampled(highPassed(samples), RECOGNIZER_SAMPLE_RATE_HZ, TELEPHONE_RATE_HZ).map(throughMuLaw);
  return resampled(narrow, TELEPHONE_RATE_HZ, RECOGNIZER_SAMPLE_RATE_HZ);
}

/**
 * Second-order Butterworth high pass (bilinear transform, "Audio EQ Cookbook" by R.
 * Bristow-Johnson).
 */
function highPassed(samples: Float32Array): Float32Array {
  const angle = (2 * Math.PI * TELEPHONE_FROM_HZ) / RECOGNIZER_SAMPLE_RATE_HZ;
  const alpha = Math.sin(angle) / Math.SQRT2;
  const [a0, a1, a2] = [1 + alpha, -2 * Math.cos(angle), 1 - alpha];
  const b = (1 + Math.cos(angle)) / 2;
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = (b * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2) / a0;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}

/** Simulates 8-bit μ-law (ITU-T G.711) with its continuous formula. */
function throughMuLaw(sample: number): number {
  const mu = 255;
  const pressed = Math.log1p(mu * Math.min(1, Math.abs(sample))) / Math.log1p(mu);
  const stepped = Math.round(pressed * 127) / 127;
  return (Math.sign(sample) * Math.expm1(stepped * Math.log1p(mu))) / mu;
}

function resampled(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  const resampler = createResampler(fromHz, toHz);
  try {
    return joinSamples([resampler.push(samples), resampler.flush()]);
  } finally {
    resampler.close();
  }
}
