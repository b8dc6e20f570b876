import { expect, it } from 'vitest';
import { isTestLearner, isTestRecording } from './held-out.ts';

it('held-out learners match training/acoustic/make_recordings.py', () => {
  for (const speaker of ['0005', '0026', '1029', '3837', '9646']) expect(isTestLearner(speaker)).toBe(true);
  for (const speaker of ['0001', '0006', '9647']) expect(isTestLearner(speaker)).toBe(false);
});

it('held-out recordings match it too, regardless of folder', () => {
  for (const stem of ['haa1', 'jaa1', 'gaa2', 'ngaa3']) {
    expect(isTestRecording(`yue-syllables-kt/${stem}.opus`)).toBe(true);
    expect(isTestRecording(`${stem}.wav`)).toBe(true);
  }
  for (const stem of ['aa1', 'baa1', 'caa1', 'daa1']) expect(isTestRecording(`${stem}.opus`)).toBe(false);
});
