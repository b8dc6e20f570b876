import { expect, test } from 'vitest';
import { timePhrase, type PlannedSyllable } from './durations.ts';
import { soundsOf } from './sounds-of.ts';
import { createUnit, MS } from './unit.ts';

const sounds = soundsOf('mandarin');

const PAUSE_MS = 350;

/** Makes a phrase of separate syllables whose onset and rime were recorded with these lengths. */
function phraseOf(labels: string, recorded: { onsetMs: number; rimeMs: number }, speed: number) {
  const planned = labels.split(' ').map((label, word): PlannedSyllable => {
    const rime = recorded.onsetMs * MS;
    const end = rime + recorded.rimeMs * MS;
    const sound = createUnit(
      { label, from: 0, length: end, start: 0, rime, coda: end, end, marks: new Int32Array() },
      sounds,
    );
    const place = { place: 0, length: 1, word, isEnglish: false, followsOn: false, isFollowed: false };
    return { label, sound, tune: sound, ...place, contour: null };
  });
  const silence = { lead: 25 * MS, pause: PAUSE_MS * MS };
  const { syllables, pause } = timePhrase(planned, {
    sounds,
    ending: 'statement',
    rate: 1,
    speed,
    normal: () => 0,
    ...silence,
  });
  const timed = syllables.map(({ from, begin, rime, end }) => ({
    closureMs: (begin - from) / MS,
    onsetMs: (rime - begin) / MS,
    rimeMs: (end - rime) / MS,
  }));
  return { timed, pauseMs: pause / MS, totalMs: (silence.lead + syllables.at(-1)!.to + pause) / MS };
}

const timesOf = (...phrase: Parameters<typeof phraseOf>) => phraseOf(...phrase).timed;

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

const SENTENCE = 'ta1 qu4 shan1 shang5 chi1 fan4';

test.each([0.5, 0.7, 1.5, 2, 3])(
  'at a speed of %d a phrase with its pause has its share of the usual time',
  (speed) => {
    const recorded = { onsetMs: 120, rimeMs: 300 };
    const usual = phraseOf(SENTENCE, recorded, 1);
    expect(usual.pauseMs).toBe(PAUSE_MS);
    expect(phraseOf(SENTENCE, recorded, speed).totalMs).toBeCloseTo(usual.totalMs / speed);
  },
);

test('slow speech has silence before words whose noise is not stretched, and a longer pause', () => {
  const recorded = { onsetMs: 150, rimeMs: 300 };
  const [usual, slow] = [phraseOf(SENTENCE, recorded, 1), phraseOf(SENTENCE, recorded, 0.5)];
  const gapsMs = slow.timed.map(({ closureMs }, i) => closureMs - 2 * usual.timed[i]!.closureMs);
  expect(gapsMs[0]).toBe(0);
  for (const gapMs of gapsMs.slice(1)) expect(gapMs).toBeCloseTo(gapsMs[1]!);
  expect(gapsMs[1]).toBeGreaterThan(50);
  expect(slow.timed[1]!.rimeMs).toBeCloseTo(2 * usual.timed[1]!.rimeMs);
  expect(slow.pauseMs).toBeCloseTo(1.25 * 2 * PAUSE_MS);
});

test('fast speech makes up for its rimes first in the pause, and then by at most 15 % in consonants', () => {
  const recorded = { onsetMs: 30, rimeMs: 100 };
  const [usual, fast] = [phraseOf('le5 le5 le5 le5', recorded, 1), phraseOf('le5 le5 le5 le5', recorded, 3)];
  expect(fast.pauseMs).toBeCloseTo((0.2 * PAUSE_MS) / 3);
  expect(fast.timed[1]!.onsetMs).toBeCloseTo(usual.timed[1]!.onsetMs / (3 * 1.15));
  const least = phraseOf('shan1 shang5 fan4', { onsetMs: 90, rimeMs: 200 }, 2);
  expect(least.pauseMs).toBeGreaterThan(0.2 * PAUSE_MS);
});

/** Times words of one syllable in the Cantonese voice, recorded with rimes of 300 ms. */
function cantonese(labels: string, isEnglish: boolean) {
  const spoken = soundsOf('cantonese');
  const end = 400 * MS;
  const planned = labels.split(' ').map((label, word): PlannedSyllable => {
    const cuts = { start: 0, rime: 100 * MS, coda: end, end, marks: new Int32Array() };
    const sound = createUnit({ label, from: 0, length: end, ...cuts }, spoken);
    const place = { place: 0, length: 1, word, isEnglish, followsOn: false, isFollowed: false };
    return { label, sound, tune: sound, ...place, contour: null };
  });
  const options = { ending: 'statement', rate: 1, speed: 1, lead: 0, pause: 0, normal: () => 0 } as const;
  return timePhrase(planned, { sounds: spoken, ...options }).syllables;
}

test('syllables of English words last longer, without the fading end of the recorded vowel', () => {
  const [usual, english] = [cantonese('si1 saa1', false), cantonese('si1 saa1', true)];
  expect((english[0]!.end - english[0]!.rime) / (usual[0]!.end - usual[0]!.rime)).toBeCloseTo(1.2);
  expect(usual[0]!.places.at(-1)).toBe(400 * MS);
  expect(english[0]!.places.at(-1)).toBe(310 * MS);
});

test('noisy onsets of English words have half of the recorded length that Cantonese ones lose', () => {
  const onsetsMs = [false, true].map((isEnglish) =>
    cantonese('taa1 faa1 baa1 lo1', isEnglish).map(({ begin, rime }) => (rime - begin) / MS),
  );
  expect(onsetsMs).toEqual([
    [50, 75, 30, 50],
    [75, 87.5, 30, 50],
  ]);
});

test('rimes of English words with a coda last longer still, and vowels keep their beginning longer', () => {
  const [usual, english] = [cantonese('bat1 din1', false), cantonese('bat1 din1', true)];
  for (const [i, syllable] of english.entries()) {
    expect((syllable.end - syllable.rime) / (usual[i]!.end - usual[i]!.rime)).toBeCloseTo(1.44);
    expect(syllable.times[4]! - syllable.times[3]!).toBeCloseTo(syllable.places[4]! - syllable.places[3]!);
  }
  expect(english[0]!.times[4]! - english[0]!.times[3]!).toBeGreaterThan(
    1.5 * (usual[0]!.times[4]! - usual[0]!.times[3]!),
  );
});

test('closures of English words last longer, and the second of two consonants is short', () => {
  const [usual, english] = [cantonese('saa1 daa1', false), cantonese('saa1 daa1', true)];
  const [usualMs, englishMs] = [usual, english].map((timed) => timed[1]!.begin - timed[1]!.from);
  expect(englishMs! / usualMs!).toBeCloseTo(1.6);
  const { onsetMs, partsOf } = soundsOf('cantonese');
  expect(onsetMs(partsOf('kle1'))! - onsetMs(partsOf('ke1'))!).toBeLessThan(0.5 * onsetMs(partsOf('le1'))!);
});

test('after an unreleased stop of an English word there is a longer silence', () => {
  const tailsMs = [false, true].map((isEnglish) => cantonese('bat1 din1', isEnglish)[0]!.tail / MS);
  expect(tailsMs).toEqual([15, 60]);
  expect(cantonese('bat1 din1', true)[0]!.places.at(-1)).toBe(400 * MS);
});
