import { expect, it } from 'vitest';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { tones } from '#testbed/sound/audio.ts';
import { createHighPass } from './high-pass.ts';

it('what is below the cutoff falls by 24 dB an octave', () => {
  const wrong = [
    [25, -48],
    [50, -24],
    [100, -3],
    [200, 0],
    [4_000, 0],
  ].flatMap(([frequencyHz = 0, expectedDb = 0]) => {
    const samples = tones([{ frequencyHz, durationMs: 3_000 }]).channels[0]!;
    const filter = createHighPass(100);
    const filtered = joinSamples([filter(samples.subarray(0, 7_001)), filter(samples.subarray(7_001))]);
    const [before, after] = [samples, filtered].map((sound) => rootMeanSquare(sound.subarray(16_000, 32_000)));
    const actualDb = 20 * Math.log10(after! / before!);
    return Math.abs(actualDb - expectedDb) < 0.4 ? [] : [{ frequencyHz, expectedDb, actualDb }];
  });
  expect(wrong).toEqual([]);
});

it('an offset is removed from the first sample on', () => {
  expect([...createHighPass(40)(new Float32Array(1_000).fill(0.4))].every((sample) => sample === 0)).toBe(true);
});
