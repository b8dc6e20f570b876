import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { addLogs } from './add-logs.ts';
import { readCalibration, wrongOdds } from './calibration.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-calibration-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const LINE = { slope: 0.5, offset: 2 };
const LINES = { onset: LINE, rime: LINE, tone: LINE };
const POOLED = {
  ...LINES,
  weights: { first: 0.5, further: 0.2 },
  tones: { alone: { contour: 1, models: 0.2 }, fluent: { contour: 0.5, models: 0.7 } },
  fluent: LINES,
};
const VALID = { ...LINES, pooled: POOLED, syllables: ['hoeng', 'gong'] };

async function read(content: string): Promise<unknown> {
  await writeFile(join(folder, 'pronunciation.json'), content);
  return readCalibration(folder);
}

describe('the calibration of a language', () => {
  it('is read', async () => {
    expect(await read(JSON.stringify(VALID))).toEqual(VALID);
  });

  it.each([
    ['empty', ''],
    ['cut off', JSON.stringify(VALID).slice(0, -1)],
    ['without a part', JSON.stringify({ ...VALID, tone: undefined })],
    ['with a slope of 0', JSON.stringify({ ...VALID, rime: { slope: 0, offset: 1 } })],
    ['with a slope below 0', JSON.stringify({ ...VALID, rime: { slope: -1, offset: 1 } })],
    ['with an offset that is no number', '{"onset":{"slope":1,"offset":"2"}}'],
    ['with syllables that are none', JSON.stringify({ ...VALID, syllables: [1] })],
    ['without lines for fluent speech', JSON.stringify({ ...VALID, pooled: { ...POOLED, fluent: undefined } })],
    ['another type', '[]'],
  ])('is unavailable when it is %s', async (_name, content) => {
    const error = await read(content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'engine_unavailable', message: expect.not.stringContaining(folder) });
  });

  it('is unavailable when there is no file', async () => {
    await expect(readCalibration(join(folder, 'other'))).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it.each(['yue', 'cmn'])('of the shipped models is valid: %s', async (language) => {
    const shipped = await readCalibration(join(import.meta.dirname, '../../../../models', language));
    expect(shipped.syllables.length).toBeGreaterThan(300);
    expect(new Set(shipped.syllables).size).toBe(shipped.syllables.length);
    // When the measurement has even odds, a syllable is more likely right than wrong.
    for (const part of [shipped.onset, shipped.rime, shipped.tone]) expect(wrongOdds(0, part)).toBeLessThan(1);
  });
});

describe('the odds of a wrong part', () => {
  it('are those of the line', () => {
    expect(wrongOdds(0, { slope: 1, offset: 0 })).toBe(1);
    expect(wrongOdds(2, { slope: 1, offset: 0 })).toBeCloseTo(Math.exp(-2), 12);
    expect(wrongOdds(-3, { slope: 0.5, offset: 1 })).toBeCloseTo(Math.exp(0.5), 12);
  });

  it('fall with the evidence, within what evidence can say', () => {
    const odds = Array.from({ length: 101 }, (_, step) => wrongOdds(step - 50, LINE));
    expect(odds).toEqual(odds.toSorted((a, b) => b - a));
    expect(wrongOdds(Infinity, LINE)).toBe(wrongOdds(40, LINE));
    expect(wrongOdds(-Infinity, LINE)).toBe(wrongOdds(-40, LINE));
    expect(wrongOdds(39, LINE)).toBeGreaterThan(wrongOdds(40, LINE));
  });
});

describe('the sum of two probabilities as logarithms', () => {
  it.each([
    [0.5, 0.5],
    [0.9, 0.05],
    [1e-12, 1e-10],
    [1, 1e-30],
    [0.3, 0],
    [0, 0],
  ])('of %d and %d', (a, b) => {
    expect(addLogs(Math.log(a), Math.log(b))).toBeCloseTo(Math.log(a + b), 12);
    expect(addLogs(Math.log(b), Math.log(a))).toBe(addLogs(Math.log(a), Math.log(b)));
  });

  it('is right where the probabilities themselves are too small to write', () => {
    expect(addLogs(-2_000, -2_000)).toBeCloseTo(-2_000 + Math.log(2), 9);
    expect(addLogs(-2_000, -Infinity)).toBe(-2_000);
  });
});
