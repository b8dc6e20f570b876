import { describe, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { joinSamples } from '#packages/audio/join-samples.ts';
import { refuseDenseSound } from '#packages/audio/sound-density.ts';
import { amplify, toInt16Bytes, withinFullScale } from './sample-values.ts';

const NOT_NUMBERS = [Number.NaN, -Number.NaN];

describe('samples within full scale', () => {
  test.each([
    [0.5, 0.5],
    [-0.5, -0.5],
    [1, 1],
    [-1, -1],
    [1.0001, 1],
    [-7, -1],
    [Number.POSITIVE_INFINITY, 1],
    [Number.NEGATIVE_INFINITY, -1],
    [1e-20, 0],
    [-1e-20, 0],
    [0, 0],
  ])('%d is %d', (sample, expected) => {
    expect(withinFullScale(Float32Array.of(sample))[0]).toBeCloseTo(expected, 12);
  });

  test('have no value that is no number', () => {
    expect([...withinFullScale(Float32Array.from(NOT_NUMBERS))]).toEqual([0, 0]);
  });

  test('are a copy', () => {
    const samples = Float32Array.of(2, 0.5);
    withinFullScale(samples);
    expect([...samples]).toEqual([2, 0.5]);
  });
});

describe('samples of sixteen bits', () => {
  test.each([
    [0, '0000'],
    [1 / 32_768, '0100'],
    [-1 / 32_768, 'ffff'],
    [0.5, '0040'],
    [1, 'ff7f'],
    [2, 'ff7f'],
    [-1, '0080'],
    [-2, '0080'],
    [Number.POSITIVE_INFINITY, 'ff7f'],
    [Number.NEGATIVE_INFINITY, '0080'],
    [Number.NaN, '0000'],
    [0.4 / 32_768, '0000'],
    [0.6 / 32_768, '0100'],
  ])('%d is %s, little end first', (sample, hex) => {
    expect(toInt16Bytes(Float32Array.of(sample)).toString('hex')).toBe(hex);
  });

  test('of nothing have no bytes', () => {
    expect(toInt16Bytes(new Float32Array(0))).toHaveLength(0);
  });

  test('are exact for every value', () => {
    const values = Float32Array.from({ length: 65_536 }, (_, index) => (index - 32_768) / 32_768);
    const bytes = toInt16Bytes(values);
    const read = Array.from({ length: 65_536 }, (_, index) => bytes.readInt16LE(index * 2));
    expect(read.every((value, index) => value === index - 32_768)).toBe(true);
  });
});

describe('joined samples', () => {
  test.each([
    [[], []],
    [[[]], []],
    [
      [[1, 2], [], [3]],
      [1, 2, 3],
    ],
  ])('%j: %j', (pieces, joined) => {
    expect([...joinSamples(pieces.map((piece) => Float32Array.from(piece)))]).toEqual(joined);
  });
});

describe('sound with many samples per second', () => {
  test.each([
    [48_000, 2],
    [96_000, 8],
    [192_000, 4],
    [768_000, 1],
    [8_000, 96],
  ])('%i Hz and %i channels are accepted', (sampleRateHz, channels) => {
    expect(() => refuseDenseSound({ sampleRateHz, channels })).not.toThrow();
  });

  test.each([
    [96_001, 8],
    [96_000, 9],
    [768_001, 1],
    [2 ** 31, 255],
  ])('%i Hz and %i channels are refused', (sampleRateHz, channels) => {
    expect(() => refuseDenseSound({ sampleRateHz, channels })).toThrow(AppError);
    expect(() => refuseDenseSound({ sampleRateHz, channels })).toThrow(`${channels} channels at ${sampleRateHz} Hz`);
  });
});

test('louder samples are compressed smoothly below full scale', () => {
  const samples = Float32Array.from({ length: 201 }, (_, i) => (i - 100) / 100);
  const louder = amplify(samples, 4);
  expect(Array.from(amplify(samples.subarray(90, 111), 0.5))).toEqual(
    Array.from(samples.subarray(90, 111), (x) => x / 2),
  );
  expect(Math.max(...louder)).toBeCloseTo(0.88);
  expect(louder[100 + 10]).toBeCloseTo(0.4);
  for (let i = 1; i < louder.length; i += 1) expect(louder[i]!).toBeGreaterThanOrEqual(louder[i - 1]!);
});
