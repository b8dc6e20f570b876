import { expect, test } from 'vitest';
import { createBands, FINISH_BANDS } from './finish.ts';

const BINS = 513;

test('bands are read where they lie on the mel scale, in decibels', () => {
  const { read } = createBands(BINS);
  // The envelope has 20 dB at 60 Hz, and one decibel more for each bin.
  const hzPerBin = 12_000 / (BINS - 1);
  const envelope = Float64Array.from({ length: BINS }, (_, bin) => ((20 + bin - 60 / hzPerBin) * Math.LN10) / 20);
  const matrix = new Float32Array(FINISH_BANDS * 3);
  read(envelope, matrix, 1, 3);
  const column = Array.from({ length: FINISH_BANDS }, (_, band) => matrix[band * 3 + 1]!);
  expect(column[0]).toBeCloseTo(20, 3);
  expect(column.at(-1)).toBeCloseTo(20 + (11_500 - 60) / hzPerBin, 3);
  expect(column).toEqual(column.toSorted((a, b) => a - b));
  expect(matrix[0]).toBe(0);
});

test('changes of bands are added to all bins, in nepers', () => {
  const { add } = createBands(BINS);
  const changes = new Float32Array(FINISH_BANDS * 2);
  for (let band = 0; band < FINISH_BANDS; band += 1) changes[band * 2 + 1] = band;
  const into = new Float64Array(BINS).fill(1);
  add(changes, 1, 2, into);
  const db = Array.from(into, (nepers) => ((nepers - 1) * 20) / Math.LN10);
  expect(db[0]).toBeCloseTo(0, 6);
  expect(db.at(-1)).toBeCloseTo(FINISH_BANDS - 1, 6);
  expect(db).toEqual(db.toSorted((a, b) => a - b));
});
