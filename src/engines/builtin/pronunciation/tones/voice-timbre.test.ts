import { expect, test } from 'vitest';
import { measurePitchCourse } from './measure-contour.ts';
import { measureTimbre, registerEvidence, TIMBRE_FEATURES, type TimbreModel } from './voice-timbre.ts';

const RATE_HZ = 16_000;

/** A vowel: harmonics of a pitch under one formant. */
function vowel(hz: number, formantHz: number, gain = 0.1): Float32Array {
  return Float32Array.from({ length: RATE_HZ / 2 }, (_, i) => {
    let value = 0;
    for (let harmonic = 1; harmonic * hz < 4_000; harmonic++) {
      const level = 1 / (1 + ((harmonic * hz - formantHz) / 300) ** 2);
      value += level * Math.cos((2 * Math.PI * harmonic * hz * i) / RATE_HZ);
    }
    return gain * value;
  });
}

function meanFeatures(samples: Float32Array): number[] {
  const frames = measureTimbre(samples, RATE_HZ, measurePitchCourse(samples, RATE_HZ));
  return Array.from(
    { length: TIMBRE_FEATURES },
    (_, at) => frames.reduce((sum, { features }) => sum + features[at]!, 0) / frames.length,
  );
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt(a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0));

test('the spectrum of a voice does not depend on how loud it is', () => {
  expect(distance(meanFeatures(vowel(150, 800)), meanFeatures(vowel(150, 800, 0.01)))).toBeLessThan(0.05);
});

test('a formant that moves changes the features more than a pitch that moves', () => {
  const voice = meanFeatures(vowel(140, 800));
  expect(distance(voice, meanFeatures(vowel(140, 1_200)))).toBeGreaterThan(
    2 * distance(voice, meanFeatures(vowel(170, 800))),
  );
});

test('a sound without voice has no timbre, and tells nothing of a register', () => {
  const silence = new Float32Array(RATE_HZ);
  const frames = measureTimbre(silence, RATE_HZ, measurePitchCourse(silence, RATE_HZ));
  expect(frames).toEqual([]);
  const model: TimbreModel = { registers: [85, 95], layers: [], weight: 1 };
  expect(registerEvidence(model, frames)).toEqual([]);
});

test('evidence is the weighted mean over frames of what the network says', () => {
  const row = (value: number): number[] => Array.from({ length: TIMBRE_FEATURES }, () => value);
  const model: TimbreModel = {
    registers: [85, 95],
    layers: [{ weights: [row(1), row(0)], biases: [0, 2] }],
    weight: 0.5,
  };
  const frame = (value: number) => ({ features: Float64Array.from(row(value)), pitchHz: 100 });
  const [low, high] = registerEvidence(model, [frame(1), frame(3)]);
  expect(low).toEqual({ register: 85, logp: TIMBRE_FEATURES });
  expect(high).toEqual({ register: 95, logp: 1 });
});
