import { expect, test } from 'vitest';
import { timeSyllables, type PlannedSyllable } from './durations.ts';
import { soundsOf } from './sounds-of.ts';
import { createUnit, MS } from './unit.ts';

const sounds = soundsOf('mandarin');

/** Syllables by themselves whose onset and rime were recorded with these lengths. */
function timesOf(labels: string, recorded: { onsetMs: number; rimeMs: number }, speed: number) {
  const planned = labels.split(' ').map((label, word): PlannedSyllable => {
    const rime = recorded.onsetMs * MS;
    const end = rime + recorded.rimeMs * MS;
    const sound = createUnit(
      { label, from: 0, length: end, start: 0, rime, coda: end, end, marks: new Int32Array() },
      sounds,
    );
    return { label, sound, tune: sound, place: 0, length: 1, word, followsOn: false, isFollowed: false, contour: null };
  });
  return timeSyllables(planned, { sounds, ending: 'statement', speed, normal: () => 0 }).map((timed) => ({
    onsetMs: (timed.rime - timed.begin) / MS,
    rimeMs: (timed.end - timed.rime) / MS,
  }));
}

test.each(['chi2', 'zai4', 'shi4', 'ta1', 'da4'])('the noise of %s is not stretched in slow speech', (label) => {
  const [usual] = timesOf(label, { onsetMs: 150, rimeMs: 300 }, 1);
  const [slow] = timesOf(label, { onsetMs: 150, rimeMs: 300 }, 0.5);
  expect(slow!.onsetMs).toBeCloseTo(usual!.onsetMs);
  expect(slow!.rimeMs).toBeCloseTo(2 * usual!.rimeMs);
});

test('sonorants are stretched with their vowels', () => {
  const [usual] = timesOf('ma1', { onsetMs: 70, rimeMs: 300 }, 1);
  const [slow] = timesOf('ma1', { onsetMs: 70, rimeMs: 300 }, 0.5);
  expect(slow!.onsetMs).toBeCloseTo(2 * usual!.onsetMs);
});

test('rimes are no shorter than can be heard, however fast the speech is', () => {
  const [, usual] = timesOf('mai3 le5 shen2', { onsetMs: 60, rimeMs: 300 }, 1);
  const [, fast] = timesOf('mai3 le5 shen2', { onsetMs: 60, rimeMs: 300 }, 2);
  expect(usual!.rimeMs / 2).toBeLessThan(60);
  expect(fast!.rimeMs).toBeCloseTo(60);
  expect(fast!.onsetMs).toBeCloseTo(usual!.onsetMs / 2);
});
