import { expect, test } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { createRandom } from '#packages/numeric/random.ts';
import { JUDGED_RATE_HZ } from './human-likeness.ts';
import {
  addNoiseAt,
  changeTempo,
  equalize,
  limitBand,
  reverberate,
  throughOpus,
  throughTelephone,
} from './manipulate.ts';

const tone = (hz: number, seconds = 1) =>
  Float32Array.from({ length: seconds * JUDGED_RATE_HZ }, (_, i) =>
    Math.fround(0.5 * Math.sin((2 * Math.PI * hz * i) / JUDGED_RATE_HZ)),
  );
const levelDb = (sound: Float32Array, of: Float32Array) => 20 * Math.log10(rootMeanSquare(sound) / rootMeanSquare(of));

test('a room keeps sounding after the sound, and quieter', () => {
  const click = new Float32Array(JUDGED_RATE_HZ);
  click.fill(0.5, 0, 160);
  const room = { seconds: 0.5, wetDb: -6, reflectionsPerSecond: 1_000 };
  const wet = reverberate(click, room, createRandom(1));
  const early = rootMeanSquare(wet.slice(800, 2_400));
  expect(early).toBeGreaterThan(1e-3);
  expect(rootMeanSquare(wet.slice(6_400, 8_000))).toBeLessThan(early / 10);
  expect(wet[0]).toBe(click[0]);
});

test('an equalizer changes levels by its gains', () => {
  const gains = [12, 12, 0, 0, -12, -12];
  expect(levelDb(equalize(tone(150), gains), tone(150))).toBeCloseTo(12, 0);
  expect(levelDb(equalize(tone(5_000), gains), tone(5_000))).toBeCloseTo(-12, 0);
});

test('a band limit keeps what is inside and removes what is outside', () => {
  expect(levelDb(limitBand(tone(1_000), 300, 3_400), tone(1_000))).toBeCloseTo(0, 1);
  expect(levelDb(limitBand(tone(6_000), 300, 3_400), tone(6_000))).toBeLessThan(-50);
});

test('noise has the ratio that was asked for', () => {
  const sound = tone(500);
  const noise = addNoiseAt(sound, 20, 3, createRandom(2)).map((sample, i) => sample - sound[i]!);
  expect(levelDb(noise, sound)).toBeCloseTo(-20, 0);
});

test.each([
  ['Opus', (sound: Float32Array) => throughOpus(sound, 16_000)],
  ['a telephone', throughTelephone],
])('speech that went through %s has its length and level', (_, pass) => {
  const passed = pass(tone(800));
  expect(passed).toHaveLength(JUDGED_RATE_HZ);
  expect(levelDb(passed.slice(4_000, 12_000), tone(800).slice(4_000, 12_000))).toBeCloseTo(0, 0);
});

test('a faster clip is shorter and has its pitch', async () => {
  const faster = await changeTempo(tone(211), 1.25);
  expect(faster.length).toBeCloseTo(JUDGED_RATE_HZ / 1.25, -2);
  const middle = faster.slice(3_200, 9_600);
  const crossings = middle.reduce((count, x, i) => count + Number(i > 0 && x * middle[i - 1]! < 0), 0);
  expect(crossings / 2 / 0.4).toBeCloseTo(211, -1);
});
