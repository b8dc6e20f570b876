import { describe, expect, it } from 'vitest';
import { centerVoices, joinAlike } from './center-voices.ts';
import { dot, unit } from './clustering.ts';

const windowOf = (frames: number, ...voice: number[]) => {
  return { fromFrame: 0, toFrame: frames, voice: unit(Float32Array.from(voice)) };
};
const cosines = (windows: ReturnType<typeof windowOf>[], share: number) => {
  const [first, second] = centerVoices(windows, share);
  return dot(first!.voice, second!.voice);
};

it('two people in one room become less similar, one person stays so', () => {
  const inRoom = [windowOf(75, 1, 0, 1), windowOf(75, 0, 1, 1)];
  expect(cosines(inRoom, 0)).toBeCloseTo(0.5, 6);
  expect(cosines(inRoom, 0.5)).toBeLessThan(0.1);
  expect(cosines([windowOf(75, 1, 0.2), windowOf(75, 1, -0.2)], 0.5)).toBeGreaterThan(0.7);
});

it('long windows count more, and all voices have length 1', () => {
  const centered = centerVoices([windowOf(150, 1, 0), windowOf(50, 0, 1)], 0.5);
  // The mean is (0.75, 0.25), of which half is taken.
  expect([...centered[0]!.voice]).toEqual([...unit(Float32Array.of(0.625, -0.125))].map((x) => expect.closeTo(x, 6)));
  for (const { voice } of centered) expect(Math.hypot(...voice)).toBeCloseTo(1, 6);
});

it('no windows, and windows without a voice, stay as they are', () => {
  expect(centerVoices([], 0.5)).toEqual([]);
  expect(centerVoices([windowOf(0, 0, 0)], 0.5)).toEqual([windowOf(0, 0, 0)]);
});

/** Two windows of each of two directions, as they sound and centered. */
const recorded = (angle: number) => {
  const windows = [angle, -angle, angle, -angle].map((at) => windowOf(75, Math.cos(at), Math.sin(at)));
  const centered = centerVoices(windows, 0.9);
  return { windows, centered, voices: [centered[0]!.voice, centered[1]!.voice] };
};

describe('speakers of centered windows', () => {
  it('are one person where their voices sound alike', () => {
    const { windows, centered, voices } = recorded(0.2);
    // Centered they look like two people.
    expect(dot(voices[0]!, voices[1]!)).toBeLessThan(0);
    const joined = joinAlike(windows, centered, voices, { sameFrom: 0.6, least: 1 });
    expect(joined.map((voice) => Math.hypot(...voice))).toEqual([expect.closeTo(1, 6)]);
  });

  it('stay apart where they do not, or where as many are required', () => {
    const apart = recorded(0.8);
    expect(joinAlike(apart.windows, apart.centered, apart.voices, { sameFrom: 0.6, least: 1 })).toHaveLength(2);
    const alike = recorded(0.2);
    const kept = joinAlike(alike.windows, alike.centered, alike.voices, { sameFrom: 0.6, least: 2 });
    expect(kept).toEqual(alike.voices);
  });

  it('are none without windows', () => {
    expect(joinAlike([], [], [], { sameFrom: 0.6, least: 1 })).toEqual([]);
  });
});
