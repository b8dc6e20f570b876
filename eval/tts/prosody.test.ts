import { expect, test } from 'vitest';
import { JUDGED_RATE_HZ } from './human-likeness.ts';
import { contourError, durationDivergence, measureProsody, type AlignedClip } from './prosody.ts';

const SECONDS = 1.2;

/** Syllables of 200 ms in a row; the pitch falls, and the sound alternates between two spectra. */
function clip(fallPerSecond: number, contrast: number, contour: readonly number[]): AlignedClip {
  let phase = 0;
  const samples = Float32Array.from({ length: SECONDS * JUDGED_RATE_HZ }, (_, i) => {
    const seconds = i / JUDGED_RATE_HZ;
    phase += (2 * Math.PI * 180 * 2 ** ((-fallPerSecond * seconds) / 12)) / JUDGED_RATE_HZ;
    const isBright = Math.floor(seconds / 0.2) % 2 === 1;
    const weight = (n: number) => Math.exp(-n * (isBright ? 0.5 - contrast : 0.5 + contrast));
    return 0.2 * [1, 2, 3, 4, 5, 6, 8, 10].reduce((sum, n) => sum + weight(n) * Math.sin(n * phase), 0);
  });
  const syllables = Array.from({ length: 6 }, (_, i) => ({ from: 0.2 * i, to: 0.2 * (i + 1), tone: 1, contour }));
  return { samples, syllables };
}

test('measures durations, the fall of the pitch, and changes over joins', () => {
  const smooth = measureProsody([clip(4, 0.05, [1, 1])]);
  const rough = measureProsody([clip(4, 0.3, [1, 1])]);
  expect(smooth.durations).toHaveLength(6);
  expect(smooth.rates[0]).toBeCloseTo(5);
  expect(rough.steps[0]).toBeGreaterThan(smooth.steps[0]!);
  expect(smooth.falls[0]).toBeCloseTo(4, 0);
  expect(smooth.ranges[0]).toBeCloseTo(4 * SECONDS * 0.9, 0);
  expect(smooth.joins).toHaveLength(5);
  expect(Math.min(...rough.joins)).toBeGreaterThan(2 * Math.max(...smooth.joins));
});

test('a pause is no join, and speech without syllables has none', () => {
  const { samples, syllables } = clip(0, 0.3, []);
  const apart = syllables.map((syllable) => ({ ...syllable, to: syllable.to - 0.1 }));
  expect(measureProsody([{ samples, syllables: apart }]).joins).toEqual([]);
  const empty = measureProsody([{ samples: new Float32Array(0), syllables: [] }]);
  expect([empty.durations, empty.rates]).toEqual([[], []]);
});

test('syllables of equal length move the level at their own rate', () => {
  const { samples, syllables } = clip(0, 0.1, []);
  const pulsed = (hz: number) =>
    samples.map((sample, i) => sample * (0.55 + 0.45 * Math.sin((2 * Math.PI * hz * i) / JUDGED_RATE_HZ)));
  const [even] = measureProsody([{ samples: pulsed(5), syllables }]).regularity;
  const [slow] = measureProsody([{ samples: pulsed(2), syllables }]).regularity;
  expect(even).toBeGreaterThan(0.6);
  expect(slow).toBeLessThan(0.3);
});

test('contours are compared by tone', () => {
  const people = measureProsody([clip(0, 0.1, [0, 2]), clip(0, 0.1, [2, 4])]);
  expect(people.contours.get(1)).toEqual([1, 3]);
  const engine = measureProsody([clip(0, 0.1, [1, 7])]);
  expect(contourError(engine.contours, people.contours)).toBeCloseTo(Math.sqrt(8));
});

test('durations diverge from others, not from themselves', () => {
  const people = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35];
  expect(durationDivergence(people, people)).toBe(0);
  expect(durationDivergence([0.2, 0.2, 0.2, 0.2, 0.2, 0.2], people)).toBeGreaterThan(0.5);
});
