import { describe, expect, it } from 'vitest';
import type { VoiceWindow } from './frames.ts';
import { evidenceOfSecondVoice } from './second-voice.ts';

/** Makes `count` windows of 1.5 s with one voice: 0.6 observations each. */
const windows = (count: number, ...voice: number[]): VoiceWindow[] =>
  Array.from({ length: count }, (_, index) => {
    return { fromFrame: 75 * index, toFrame: 75 * (index + 1), voice: Float32Array.from(voice) };
  });
const inDegrees = (degrees: number): [number, number] => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)];
};
const IN_TWO = { between: [1, 1] };

/** Computes the evidence for two groups of 5 windows at ± an angle. */
const evidence = (degrees: number) =>
  evidenceOfSecondVoice([...windows(5, ...inDegrees(degrees)), ...windows(5, ...inDegrees(-degrees))], IN_TWO);
/** Computes the evidence for `count` windows of each of two opposite voices. */
const ofOpposite = (count: number) =>
  evidenceOfSecondVoice([...windows(count, 1), ...windows(count, -1)], { between: [1] });

describe('the evidence of a second voice', () => {
  // The groups have 5 windows each (3 observations) at angles of ±θ, with the variances 1 in D = 2:
  // each group has −ln 4 + ½ · 9 · 2 / 4; all windows have −ln 7 + ½ · (6 cos θ)² · 2 / 7.
  it.each([5, 20, 30, 45, 60, 90])('of two groups at ±%i° is that of the model', (degrees) => {
    const expected = 2 * (9 / 4 - Math.log(4)) - (36 * inDegrees(degrees)[0] ** 2) / 7 + Math.log(7);
    expect(evidence(degrees)).toBeCloseTo(expected, 5);
  });

  it('is against one for voices that hardly differ, and for one for opposite voices', () => {
    expect(evidence(5)).toBeLessThan(0);
    expect(evidence(90)).toBeGreaterThan(0);
    for (let degrees = 5; degrees < 90; degrees += 5) expect(evidence(degrees + 5)).toBeGreaterThan(evidence(degrees));
  });

  it('grows with the sound of both', () => {
    for (let count = 1; count < 10; count += 1) expect(ofOpposite(count + 1)).toBeGreaterThan(ofOpposite(count));
  });

  it('does not depend on the order of the windows', () => {
    const all = [12, 14, 9, 70, 77, 81].map((degrees) => windows(1, ...inDegrees(degrees))[0]!);
    const expected = evidenceOfSecondVoice(all, IN_TWO);
    for (let turn = 1; turn < all.length; turn += 1) {
      const turned = [...all.slice(turn), ...all.slice(0, turn)];
      expect(evidenceOfSecondVoice(turned, IN_TWO)).toBeCloseTo(expected, 9);
      expect(evidenceOfSecondVoice(turned.toReversed(), IN_TWO)).toBeCloseTo(expected, 9);
    }
  });

  it('is none in dimensions in which people do not differ', () => {
    const all = [...windows(5, 1, 0), ...windows(5, -1, 0)];
    expect(evidenceOfSecondVoice(all, { between: [0, 0] })).toBeCloseTo(0, 12);
  });

  it.each([
    ['no windows', []],
    ['one window', windows(1, 1, 0)],
    ['two equal windows', windows(2, 0.6, 0.8)],
    ['many equal windows', windows(40, 0, 1)],
    ['windows without a voice', windows(3, 0, 0)],
  ])('is impossible for %s', (_name, all) => {
    expect(evidenceOfSecondVoice(all, IN_TWO)).toBe(-Infinity);
  });
});
