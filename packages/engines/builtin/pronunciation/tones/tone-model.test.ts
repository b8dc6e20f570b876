import { expect, it } from 'vitest';
import { CONTOUR_POINTS } from './measure-contour.ts';
import { prepareToneModel, readToneModel, type ToneModelFile } from './tone-model.ts';

type ShapeFile = ToneModelFile['shapes'][number];

/** Makes a square matrix from its values by row and column. */
const matrix = (value: (row: number, column: number) => number) =>
  Array.from({ length: CONTOUR_POINTS }, (_, row) =>
    Array.from({ length: CONTOUR_POINTS }, (__, column) => value(row, column)),
  );
const diagonal = (value: number) => matrix((row, column) => (row === column ? value : 0));

function shape(overrides: Partial<ShapeFile>): ShapeFile {
  const mean = Array.from({ length: CONTOUR_POINTS }, () => 0);
  return { tone: 1, rimes: 'all', place: 'alone', share: 1, mean, covariance: diagonal(1), ...overrides };
}

function modelOf(...shapes: ShapeFile[]) {
  const speakers = { registers: [{ share: 1, mean: 90, deviation: 4 }], spans: [{ share: 1, factor: 1 }] };
  const weights = { freedom: 5, modelWeight: 1, contourWeight: 1, expectedShare: 0.8, connected: null };
  return prepareToneModel({ version: '1', tones: 6, ...speakers, shapes, ...weights });
}

const onlyShape = (covariance: number[][]) => modelOf(shape({ covariance })).shapesOf('alone', false)[0]!;

it('inverts a diagonal covariance', () => {
  const { precision, halfLogDeterminant } = onlyShape(diagonal(4));
  expect([...precision]).toEqual(diagonal(0.25).flat());
  // The determinant of the precision is 4^-7.
  expect(halfLogDeterminant).toBeCloseTo(-CONTOUR_POINTS * Math.log(2));
});

it('inverts full covariances: the product is the identity', () => {
  for (const correlation of [0.1, 0.5, 0.9, 0.99]) {
    const covariance = matrix((row, column) => 3 * correlation ** Math.abs(row - column));
    const { precision, halfLogDeterminant } = onlyShape(covariance);
    for (let row = 0; row < CONTOUR_POINTS; row += 1) {
      const inverse = [...precision.subarray(row * CONTOUR_POINTS, (row + 1) * CONTOUR_POINTS)];
      for (let column = 0; column < CONTOUR_POINTS; column += 1) {
        const product = inverse.reduce((total, value, at) => total + value * covariance[at]![column]!, 0);
        expect(product).toBeCloseTo(row === column ? 1 : 0, 8);
      }
    }
    // An autoregressive covariance has the determinant 3^n (1 - r²)^(n-1).
    const logDeterminant = CONTOUR_POINTS * Math.log(3) + (CONTOUR_POINTS - 1) * Math.log(1 - correlation ** 2);
    expect(halfLogDeterminant).toBeCloseTo(-logDeterminant / 2);
  }
});

it.each([
  ['of zeros', diagonal(0)],
  ['with a negative variance', diagonal(-1)],
  ['of equal values', matrix(() => 1)],
  ['of correlations above one', matrix((row, column) => (row === column ? 1 : 2))],
  ['that is not a number', diagonal(Number.NaN)],
])('refuses a covariance %s', (_what, covariance) => {
  expect(() => onlyShape(covariance)).toThrow(expect.objectContaining({ code: 'engine_unavailable' }));
});

it('has the shapes of a place and of checked or open syllables', () => {
  const model = modelOf(
    shape({ tone: 1, place: 'first', rimes: 'open' }),
    shape({ tone: 2, place: 'first', rimes: 'checked' }),
    shape({ tone: 3, place: 'first', rimes: 'all' }),
    shape({ tone: 4, place: 'alone', rimes: 'all' }),
  );
  const tones = (place: ShapeFile['place'], isChecked: boolean) =>
    model.shapesOf(place, isChecked).map(({ tone }) => tone);
  expect(tones('first', false)).toEqual([1, 3]);
  expect(tones('first', true)).toEqual([2, 3]);
  // A place without shapes of its own has those of syllables that stand alone.
  expect(tones('middle', true)).toEqual([4]);
  expect(tones('first', false)).toEqual([1, 3]);
});

it('has the shapes after a tone where there is a syllable before', () => {
  const model = modelOf(
    shape({ tone: 5, place: 'last', after: [3] }),
    shape({ tone: 5, place: 'last', after: [1, 2] }),
    shape({ tone: 4, place: 'last' }),
  );
  const shapes = (...before: number[]) => model.shapesOf('last', false, before).map(({ tone, share }) => [tone, share]);
  expect(shapes(3)).toEqual([
    [5, 1],
    [4, 1],
  ]);
  expect(shapes(2)).toEqual([
    [5, 1],
    [4, 1],
  ]);
  // Both are possible where the text allows both, and where the tone before is unknown.
  expect(shapes(2, 3)).toEqual([
    [5, 0.5],
    [5, 0.5],
    [4, 1],
  ]);
  expect(shapes()).toEqual([
    [5, 0.5],
    [5, 0.5],
    [4, 1],
  ]);
  expect(shapes(4)).toEqual([[4, 1]]);
});

it('refuses a folder without a model', () => {
  expect(() => readToneModel('/nonexistent')).toThrow(expect.objectContaining({ code: 'engine_unavailable' }));
});
