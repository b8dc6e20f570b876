import { expect, it } from 'vitest';
import { judgeSamples } from './check-sample.ts';

const RATE = 8_000;
const tone = (seconds: number, loudness: number) =>
  Float32Array.from({ length: seconds * RATE }, (_, at) =>
    Math.max(-1, Math.min(1, loudness * Math.sin((at * 2 * Math.PI * 200) / RATE))),
  );
const withSilence = (seconds: number, samples: Float32Array) => {
  const longer = new Float32Array(samples.length + seconds * RATE);
  longer.set(samples);
  return longer;
};

it.each([
  ['a good one', tone(10, 0.5), null],
  ['one of two seconds', tone(2, 0.5), 'tooShort'],
  ['one of 31 seconds', tone(31, 0.5), 'tooLong'],
  ['a quiet one', tone(10, 0.05), 'quiet'],
  ['one that reaches the limit', tone(10, 1.4), 'clipped'],
  ['one with a word and silence', withSilence(9, tone(1, 0.5)), 'silent'],
  ['silence', new Float32Array(10 * RATE), 'quiet'],
])('judges %s', (_name, samples, fault) => {
  expect(judgeSamples(samples, RATE)).toEqual({ seconds: samples.length / RATE, fault });
});
