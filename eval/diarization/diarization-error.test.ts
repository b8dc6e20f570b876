import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bestMapping, diarizationError, readRttm, type Turn } from './diarization-error.ts';

const turn = (startMs: number, endMs: number, speaker: string | number): Turn => ({ startMs, endMs, speaker });

it('identical turns with other speaker names have no error', () => {
  const reference = [turn(0, 1_000, 'ann'), turn(800, 2_000, 'ben')];
  const found = [turn(800, 2_000, 0), turn(0, 1_000, 1)];
  expect(diarizationError(found, reference)).toEqual({
    spokenMs: 2_200,
    missedMs: 0,
    falseAlarmMs: 0,
    confusedMs: 0,
  });
});

it('unfound speech counts as missed and unspoken time as false alarm', () => {
  const error = diarizationError([turn(500, 1_500, 0)], [turn(0, 1_000, 'ann')]);
  expect(error).toEqual({ spokenMs: 1_000, missedMs: 500, falseAlarmMs: 500, confusedMs: 0 });
});

it('speech attributed to the wrong speaker counts as confused', () => {
  // Speaker 0 overlaps ann for 1,000 ms and ben for 600 ms, so ann is the better match.
  const reference = [turn(0, 1_000, 'ann'), turn(1_000, 2_000, 'ben')];
  const error = diarizationError([turn(0, 1_600, 0), turn(1_600, 2_000, 1)], reference);
  expect(error).toEqual({ spokenMs: 2_000, missedMs: 0, falseAlarmMs: 0, confusedMs: 600 });
});

it('overlapping speech counts once per speaker', () => {
  const reference = [turn(0, 1_000, 'ann'), turn(600, 1_000, 'ben')];
  const error = diarizationError([turn(0, 1_000, 0)], reference);
  expect(error).toEqual({ spokenMs: 1_400, missedMs: 400, falseAlarmMs: 0, confusedMs: 0 });
});

it('overlapping turns of one speaker count once', () => {
  const reference = [turn(0, 1_000, 'ann'), turn(500, 1_500, 'ann')];
  expect(diarizationError([turn(0, 1_500, 0)], reference)).toMatchObject({ spokenMs: 1_500, falseAlarmMs: 0 });
});

it('a collar ignores errors near the boundaries of reference turns', () => {
  const reference = [turn(0, 1_000, 'ann'), turn(2_000, 3_000, 'ben')];
  const found = [turn(0, 1_200, 0), turn(1_900, 3_000, 1)];
  expect(diarizationError(found, reference).falseAlarmMs).toBe(300);
  expect(diarizationError(found, reference, 250)).toEqual({
    spokenMs: 1_000,
    missedMs: 0,
    falseAlarmMs: 0,
    confusedMs: 0,
  });
});

it('no found turns is all missed, and no reference turns is all false alarm', () => {
  expect(diarizationError([], [turn(0, 1_000, 'ann')])).toMatchObject({ spokenMs: 1_000, missedMs: 1_000 });
  expect(diarizationError([turn(0, 1_000, 0)], [])).toMatchObject({ spokenMs: 0, falseAlarmMs: 1_000 });
  expect(diarizationError([], [])).toMatchObject({ spokenMs: 0 });
});

it('the best speaker mapping is optimal, not greedy', () => {
  const values = [
    [10, 9, 0],
    [9, 1, 0],
  ];
  expect(bestMapping(values)).toEqual([1, 0]);
  expect(bestMapping([[1], [5], [3]])).toEqual([null, 0, null]);
  expect(bestMapping([])).toEqual([]);
});

it('turns are read from RTTM, and a malformed line is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rttm-'));
  const path = join(folder, 'a.rttm');
  await writeFile(path, 'SPEAKER a 1 3.168 0.800 <NA> <NA> MÉO069 <NA> <NA>\n;; a comment\n');
  expect(await readRttm(path)).toEqual([{ startMs: 3_168, endMs: 3_968, speaker: 'MÉO069' }]);
  await writeFile(path, 'SPEAKER a 1 x 0.800 <NA> <NA> ann <NA> <NA>\n');
  await expect(readRttm(path)).rejects.toThrow('is not a valid speaker turn');
  await rm(folder, { recursive: true });
});
