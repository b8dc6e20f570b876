import { describe, expect, test } from 'vitest';
import { ENVELOPE_BINS, type SpeechFrames } from '@jyutsing/audio/vocoder/speech-frames';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { createF0Contour } from './f0-contour.ts';
import { createProsodySampler, hashText } from '#engines/runtime/prosody-sampling.ts';
import { restoreTransients } from './restore-transients.ts';
import type { TimedSyllable } from './timing.ts';
import { createWordTimer } from './word-times.ts';

const wordsOf = (text: string) => text.split(' ').map((written) => ({ written }) as SpokenWord);
const syllable = (word: number, reading: string, startMs: number, endMs: number, voice = 'yue') =>
  ({ item: { word, reading }, voice, startMs, endMs }) as unknown as TimedSyllable;

function timesOf(words: string, syllables: readonly TimedSyllable[]) {
  const timer = createWordTimer(wordsOf(words));
  return [...syllables.flatMap((timed) => [...timer.add(timed)]), ...timer.end()];
}

describe('the times of words', () => {
  test('are those of their syllables', () => {
    expect(
      timesOf('香港 人', [
        syllable(0, 'hoeng1', 0, 200),
        syllable(0, 'gong2', 200, 400),
        syllable(1, 'jan4', 400, 650),
      ]),
    ).toEqual([
      {
        type: 'word',
        word: { text: '香港', startMs: 0, endMs: 400 },
        syllables: [
          { text: 'hoeng1', startMs: 0, endMs: 200 },
          { text: 'gong2', startMs: 200, endMs: 400 },
        ],
      },
      {
        type: 'word',
        word: { text: '人', startMs: 400, endMs: 650 },
        syllables: [{ text: 'jan4', startMs: 400, endMs: 650 }],
      },
    ]);
  });

  test('of English words have no syllables', () => {
    expect(timesOf('water', [syllable(0, 'water', 0, 150, 'en'), syllable(0, 'water', 150, 300, 'en')])).toEqual([
      { type: 'word', word: { text: 'water', startMs: 0, endMs: 300 }, syllables: [] },
    ]);
  });

  test('are whole milliseconds, and words without sound are left out', () => {
    expect(timesOf('一 二 三', [syllable(0, 'jat1', 0.4, 99.6), syllable(2, 'saam1', 99.6, 200.2)])).toMatchObject([
      { word: { text: '一', startMs: 0, endMs: 100 } },
      { word: { text: '三', startMs: 100, endMs: 200 } },
    ]);
  });

  test('are said once', () => {
    const timer = createWordTimer(wordsOf('一'));
    expect([...timer.end()]).toEqual([]);
    expect([...timer.add(syllable(0, 'jat1', 0, 100))]).toEqual([]);
    expect([...timer.end()]).toHaveLength(1);
    expect([...timer.end()]).toEqual([]);
  });
});

const spoken = (startMs: number, endMs: number, isVoiceless = false) =>
  ({
    startMs,
    endMs,
    nucleus: 1,
    parts: [
      { fromMs: startMs, isVoiceless },
      { fromMs: startMs + 50, isVoiceless: false },
    ],
  }) as unknown as TimedSyllable;

const level = (semitones: number) => ({
  contour: [
    [0, semitones],
    [1, semitones],
  ] as const,
  scale: 1,
  shift: 0,
});

const aim = (semitones: number) =>
  level(semitones) as unknown as Parameters<ReturnType<typeof createF0Contour>['add']>[1];

describe('the pitch of a phrase', () => {
  test('begins at its first target and stays near a level one', () => {
    const contour = createF0Contour(1);
    contour.add(spoken(0, 300), aim(4));
    for (let timeMs = 0; timeMs <= 300; timeMs += 10) expect(Math.abs(contour.at(timeMs) - 4)).toBeLessThan(0.2);
  });

  test('moves smoothly from one target to the next', () => {
    const contour = createF0Contour(1);
    contour.add(spoken(0, 300), aim(5));
    contour.add(spoken(300, 600), aim(-5));
    const values = Array.from({ length: 121 }, (_, step) => contour.at(step * 5));
    const steps = values.slice(1).map((value, index) => Math.abs(value - values[index]!));
    expect(Math.max(...steps)).toBeLessThan(1.2);
    expect(values.at(-1)!).toBeLessThan(-4.5);
    // A critically damped system does not overshoot.
    expect(Math.min(...values)).toBeGreaterThan(-5.2);
  });

  test('is higher just after a voiceless consonant', () => {
    const voiceless = createF0Contour(1);
    voiceless.add(spoken(0, 300, true), aim(0));
    const voiced = createF0Contour(1);
    voiced.add(spoken(0, 300, false), aim(0));
    expect(voiceless.at(55) - voiced.at(55)).toBeGreaterThan(0.4);
    expect(voiceless.at(290) - voiced.at(290)).toBeLessThan(0.05);
  });

  test('of a new phrase does not depend on the last one', () => {
    const contour = createF0Contour(1);
    contour.add(spoken(0, 300), aim(9));
    contour.at(299);
    contour.reset();
    contour.add(spoken(300, 600), aim(-3));
    expect(Math.abs(contour.at(300) + 3)).toBeLessThan(0.2);
  });

  test('without targets is the middle of the register', () => {
    expect(Math.abs(createF0Contour(1).at(0))).toBeLessThan(0.2);
  });
});

const framesOf = (pitchHz: readonly number[], levelDb: number) =>
  ({
    count: pitchHz.length,
    pitchHz: Float32Array.from(pitchHz),
    envelopeDb: new Float32Array(pitchHz.length * ENVELOPE_BINS).fill(levelDb),
  }) as unknown as SpeechFrames;

describe('transients', () => {
  const RATE_HZ = 24_000;
  test('a silent unvoiced frame becomes quiet, a voiced one stays', () => {
    const frames = framesOf([0, 120], -20);
    restoreTransients(frames, new Float32Array(RATE_HZ), RATE_HZ);
    expect(frames.envelopeDb[10]!).toBeCloseTo(-65, 4);
    expect(frames.envelopeDb[ENVELOPE_BINS + 10]).toBe(-20);
  });

  test('a loud unvoiced frame rises by nine decibels at most', () => {
    const frames = framesOf([0], -60);
    restoreTransients(frames, new Float32Array(RATE_HZ).fill(0.5), RATE_HZ);
    expect(frames.envelopeDb[10]!).toBeCloseTo(-51, 4);
  });

  test('frames beyond the samples are silence', () => {
    const frames = framesOf([0, 0], -20);
    restoreTransients(frames, new Float32Array(0), RATE_HZ);
    expect([...frames.envelopeDb].every((level) => Number.isFinite(level) && level < -60)).toBe(true);
  });
});

const draws = (options: Partial<{ seed: number; temperature: number; topP: number }>, count = 2_000) => {
  const sampler = createProsodySampler({ seed: 1, temperature: 1, topP: 1, ...options });
  return Array.from({ length: count }, () => sampler.normal(1));
};

const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

describe('variation', () => {
  test('is the same for a seed, and another for another', () => {
    expect(draws({ seed: 7 }, 20)).toEqual(draws({ seed: 7 }, 20));
    expect(draws({ seed: 7 }, 20)).not.toEqual(draws({ seed: 8 }, 20));
  });

  test('grows with the temperature, is none at 0 and limited at 2', () => {
    expect(deviation(draws({}))).toBeCloseTo(1, 1);
    expect(deviation(draws({ temperature: 0.5 }))).toBeCloseTo(0.5, 1);
    expect(draws({ temperature: 0 }, 50).every((value) => value === 0)).toBe(true);
    expect(draws({ temperature: 9 }, 50)).toEqual(draws({ temperature: 2 }, 50));
  });

  // The central half of a normal distribution ends at 0.6745 deviations.
  test('keeps the share that top_p says', () => {
    const values = draws({ topP: 0.5 });
    expect(Math.max(...values)).toBeCloseTo(0.6745, 2);
    expect(Math.min(...values)).toBeCloseTo(-0.6745, 2);
  });

  // The values are the offset basis and the test vectors of FNV-1a for one byte.
  test.each([
    ['', 0, 2_166_136_261],
    ['a', 0, 0xe40c292c],
    ['foobar', 0, 0xbf9cf968],
  ])('the hash of %j is that of FNV-1a', (text, seed, hash) => {
    expect(hashText(text, seed)).toBe(hash);
  });
});
