import { describe, expect, it } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { joinSamples } from '#audio/join-samples.ts';
import { createStreamResampler, resample } from './resample.ts';

const tone = (hertz: number, rateHz: number, seconds = 0.5) =>
  Float32Array.from({ length: rateHz * seconds }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / rateHz));

/** Resamples a sound cut into parts of these lengths, again and again. */
function streamed(samples: Float32Array, fromHz: number, toHz: number, lengths: readonly number[]): Float32Array {
  const { push } = createStreamResampler(fromHz, toHz);
  const parts: Float32Array[] = [];
  for (let at = 0, turn = 0; at < samples.length; turn += 1) {
    const length = lengths[turn % lengths.length]!;
    parts.push(push(samples.subarray(at, at + length)));
    at += length;
  }
  return joinSamples(parts);
}

describe.each([24_000, 8_000, 48_000, 44_100])('from %i Hz to 16 kHz', (fromHz) => {
  it('gives the same samples however the sound is cut', () => {
    const sound = tone(440, fromHz);
    expect(streamed(sound, fromHz, 16_000, [1, 7, 480, 3])).toEqual(streamed(sound, fromHz, 16_000, [sound.length]));
  });

  it('gives what the resampling of the whole sound gives', () => {
    const sound = tone(1_000, fromHz);
    const complete = resample(sound, fromHz, 16_000);
    const parts = streamed(sound, fromHz, 16_000, [480]);
    expect(complete.length - parts.length).toBeLessThan(40);
    const difference = parts.map((sample, at) => sample - complete[at]!);
    expect(rootMeanSquare(difference)).toBeLessThan(0.005);
  });
});

it('removes what 16 kHz cannot hold', () => {
  expect(rootMeanSquare(streamed(tone(10_000, 24_000), 24_000, 16_000, [480]))).toBeLessThan(0.01);
});

it('leaves sound of the same rate as it is', () => {
  const sound = tone(300, 16_000);
  expect(streamed(sound, 16_000, 16_000, [160])).toEqual(sound);
});
