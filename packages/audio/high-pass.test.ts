import { expect, it } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { tones } from '#testbed/sound/audio.ts';
import { createHumFilter, createRumbleFilter } from './high-pass.ts';

/** Returns the level of a second in the middle of a tone against that of the input, in dB. */
function gainDb(filter: (samples: Float32Array) => Float32Array, frequencyHz: number): number {
  const samples = tones([{ frequencyHz, durationMs: 3_000 }]).channels[0]!;
  const middle = samples.subarray(16_000, 32_000);
  const before = rootMeanSquare(middle);
  for (let at = 0; at < samples.length; at += 321) filter(samples.subarray(at, at + 321));
  return 20 * Math.log10(rootMeanSquare(middle) / before);
}

it('rumble is removed below 70 Hz and hum below 150 Hz, by 24 dB an octave', () => {
  const rows: [typeof createRumbleFilter, number, number][] = [
    [createRumbleFilter, 17.5, -48],
    [createRumbleFilter, 35, -24],
    [createRumbleFilter, 70, -3],
    [createRumbleFilter, 140, 0],
    [createRumbleFilter, 4_000, 0],
    [createHumFilter, 37.5, -48],
    [createHumFilter, 75, -24],
    [createHumFilter, 150, -3],
    [createHumFilter, 300, 0],
  ];
  const wrong = rows.flatMap(([createFilter, frequencyHz, expectedDb]) => {
    const actualDb = gainDb(createFilter(16_000), frequencyHz);
    return Math.abs(actualDb - expectedDb) < 0.4 ? [] : [{ frequencyHz, expectedDb, actualDb }];
  });
  expect(wrong).toEqual([]);
});

it('an offset is removed from the first sample on', () => {
  expect([...createRumbleFilter(48_000)(new Float32Array(1_000).fill(0.4))].every((sample) => sample === 0)).toBe(true);
});

it('samples stay within full scale', () => {
  const square = Float32Array.from({ length: 16_000 }, (_, i) => (Math.floor(i / 160) % 2 === 0 ? 1 : -1));
  expect(createRumbleFilter(16_000)(square).every((sample) => Math.abs(sample) <= 1)).toBe(true);
});
