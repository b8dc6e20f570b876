import { expect, test } from 'vitest';
import { levelsOf } from './levels.ts';
import { soundsOf } from './sounds-of.ts';
import { createUnit } from './unit.ts';

const PERIOD = 200;
const LENGTH = 40 * PERIOD;

test('levels are those of the periods, beside the loudest of the rime', () => {
  // The sound is half as loud in the first quarter, and ten times quieter at the end.
  const gainAt = (i: number) => (i < LENGTH / 4 ? 0.5 : i < (3 * LENGTH) / 4 ? 1 : 0.1);
  const samples = Float32Array.from(
    { length: LENGTH },
    (_, i) => 0.2 * gainAt(i) * Math.sin((2 * Math.PI * i) / PERIOD),
  );
  const marks = Int32Array.from({ length: 39 }, (_, i) => i * PERIOD);
  const cuts = { start: 0, rime: LENGTH / 4, coda: LENGTH, end: LENGTH, marks };
  const unit = createUnit({ label: 'maa1', from: 0, length: LENGTH, ...cuts }, soundsOf('cantonese'));
  const levels = levelsOf(unit, samples);
  expect(levels).toHaveLength(unit.marks.length);
  expect(levels[5]).toBeCloseTo(20 * Math.log10(0.5), 1);
  expect(levels[20]).toBeCloseTo(0, 1);
  expect(levels[35]).toBeCloseTo(-20, 1);
});
