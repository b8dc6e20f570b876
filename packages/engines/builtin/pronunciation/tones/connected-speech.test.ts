import { expect, test } from 'vitest';
import { carefulTraces, fluentTraces, follows } from './connected-speech.ts';
import { CONTOUR_POINTS, type Contour } from './measure-contour.ts';

const FLUENT = { declination: 0.4, carryOver: 0.4, fullMovementMs: 400 };
const contour = (startMs: number, endMs: number, point: (at: number) => number): Contour => ({
  points: Float64Array.from({ length: CONTOUR_POINTS }, (_, at) => point(at)),
  startMs,
  endMs,
});

/** Returns the share of the distance from the last syllable that is left at a point. */
const keptShare = (at: number) => 0.4 * (1 - at / (CONTOUR_POINTS - 1));

test('syllables follow each other up to a pause', () => {
  const first = contour(0, 200, () => 90);
  expect(
    follows(
      first,
      contour(400, 500, () => 90),
    ),
  ).toBe(true);
  expect(
    follows(
      first,
      contour(450, 500, () => 90),
    ),
  ).toBe(false);
  expect(follows(null, first)).toBe(false);
});

test('careful syllables are taken as they are', () => {
  const spoken = contour(0, 200, (at) => 90 + at);
  const [trace, unvoiced] = carefulTraces([spoken, null]);
  expect(trace).toEqual({ points: spoken.points, weights: new Float64Array(CONTOUR_POINTS).fill(1), movement: 1 });
  expect(unvoiced).toBeNull();
});

test('fluent syllables show their targets through declination and the last syllable', () => {
  // The targets are level at 95 and 88 semitones; the second syllable starts near the first target.
  const sunk = 88 - 0.4;
  const spoken = [
    contour(0, 200, () => 95),
    contour(230, 430, (at) => sunk + keptShare(at) * (95 - sunk)),
    contour(900, 1_300, () => 90 - 0.8),
  ];
  const [first, second, afterPause] = fluentTraces(spoken, FLUENT).map((trace) =>
    Array.from(trace!.points, (point, at) => point / trace!.weights[at]!),
  );
  for (const [points, target] of [
    [first!, 95],
    [second!, 88],
    [afterPause!, 90],
  ] as const) {
    for (const point of points) expect(point).toBeCloseTo(target, 9);
  }
});

test('short syllables move less, and unvoiced ones are left out', () => {
  const traces = fluentTraces([contour(0, 100, () => 90), null, contour(300, 900, () => 90)], FLUENT);
  expect(traces.map((trace) => trace?.movement ?? null)).toEqual([0.25, null, 1]);
});
