import { describe, expect, it } from 'vitest';
import { joinSamples } from './join-samples.ts';
import { createResampler } from './resample.ts';

function tone(frequencyHz: number, seconds: number, rateHz: number): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * rateHz) },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz),
  );
}

function resample(samples: Float32Array, fromHz: number, toHz: number, pieceLength: number): Float32Array {
  const resampler = createResampler(fromHz, toHz);
  const pieces: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += pieceLength) {
    pieces.push(resampler.push(samples.subarray(at, at + pieceLength)));
  }
  pieces.push(resampler.flush());
  resampler.close();
  return joinSamples(pieces);
}

describe.each([8_000, 16_000, 22_050, 44_100, 48_000])('sound of %i Hz at 24 kHz', (fromHz) => {
  it('keeps the tone, its timing and its length', () => {
    const resampled = resample(tone(440, 1, fromHz), fromHz, 24_000, 1_000);
    expect(Math.abs(resampled.length - 24_000)).toBeLessThanOrEqual(40);
    const reference = tone(440, 1, 24_000);
    let worst = 0;
    // Skip the ends, where the filter has input on one side only.
    for (let i = 200; i < 23_800; i += 1) worst = Math.max(worst, Math.abs((resampled[i] ?? 0) - (reference[i] ?? 0)));
    expect(worst).toBeLessThan(0.01);
  });

  it('does not depend on how it was cut', () => {
    const sound = tone(1_000, 0.3, fromHz);
    const complete = resample(sound, fromHz, 24_000, sound.length);
    for (const pieceLength of [1, 7, 333]) {
      const cut = resample(sound, fromHz, 24_000, pieceLength);
      expect(cut.length).toBe(complete.length);
      expect(cut.every((sample, i) => Math.abs(sample - (complete[i] ?? 9)) < 1e-5)).toBe(true);
    }
  });
});

it('an invalid rate is refused', () => {
  expect(() => createResampler(0, 24_000)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
});
