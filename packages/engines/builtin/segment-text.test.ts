import { describe, expect, test } from 'vitest';
import type { DecodedUnit } from './decoder/index.ts';
import { toRecognizedSyllables } from './recognized-syllables.ts';
import { toSegment } from './segment-text.ts';

/** Two seconds of sound from second 10 of a recording, with speech from 10.1 to 11.8 s. */
const SPEECH = { startMs: 10_000, speechStartMs: 10_100, speechEndMs: 11_800, samples: new Float32Array(32_000) };
const unit = (text: string, startMs: number, endMs: number, confidence = 0.5): DecodedUnit => ({
  text,
  reading: 'x',
  startMs,
  endMs,
  confidence,
});
type Speech = Parameters<typeof toSegment>[0];
const segmentOf = (units: readonly DecodedUnit[], language: 'cantonese' | 'english' = 'cantonese', speech = SPEECH) =>
  toSegment(speech as unknown as Speech, units, language);

describe('a segment', () => {
  test('does not exist without units', () => {
    expect(segmentOf([])).toBeNull();
  });

  test('has its text with spaces between English words only', () => {
    const units = [unit('one', 100, 300), unit('two', 400, 600)];
    expect(segmentOf([unit('食', 100, 300), unit('飯', 400, 600)])?.text).toBe('食飯');
    expect(segmentOf(units)?.text).toBe('one two');
    expect(segmentOf(units, 'english')?.text).toBe('one two');
  });

  test('has times of the recording', () => {
    const segment = segmentOf([unit('一', 200, 400), unit('二', 500, 700)]);
    expect(segment).toMatchObject({ startMs: 10_100, endMs: 11_800, speaker: null });
    expect(segment?.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [10_200, 10_400],
      [10_500, 10_700],
    ]);
  });

  test('begins with a word that is earlier than the speech, and ends with one that is later', () => {
    expect(segmentOf([unit('一', 20, 1_950)])).toMatchObject({ startMs: 10_020, endMs: 11_950 });
  });

  test('stays within its sound', () => {
    const segment = segmentOf([unit('一', -50, 100), unit('二', 1_900, 2_400)]);
    expect(segment?.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [10_000, 10_100],
      [11_900, 12_000],
    ]);
  });

  test('has words in order, whatever the decoder says', () => {
    const segment = segmentOf([unit('一', 500, 900), unit('二', 400, 700), unit('三', 100, 50)]);
    let reachedMs = 0;
    for (const { startMs, endMs } of segment!.words) {
      expect(startMs).toBeGreaterThanOrEqual(reachedMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      reachedMs = endMs;
    }
  });

  test('has whole milliseconds', () => {
    const segment = segmentOf([unit('一', 100.4, 200.6)], 'cantonese', { ...SPEECH, startMs: 10_000.3 });
    const times = [
      segment!.startMs,
      segment!.endMs,
      ...segment!.words.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ];
    expect(times.every(Number.isInteger)).toBe(true);
  });

  test('has the mean confidence of its words, each from 0 to 1', () => {
    expect(segmentOf([unit('一', 0, 1, 0.2), unit('二', 2, 3, 0.6)])?.confidence).toBeCloseTo(0.4, 9);
    expect(segmentOf([unit('一', 0, 1, -3), unit('二', 2, 3, 7)])?.words.map(({ confidence }) => confidence)).toEqual([
      0, 1,
    ]);
  });
});

const syllable = (startMs: number, endMs: number, ...readings: string[]) => ({
  startMs,
  endMs,
  alternatives: readings.map((reading) => ({ reading, probability: 0.5 })),
});

describe('recognized syllables', () => {
  test('have times of the recording, up to the end of the range', () => {
    expect(toRecognizedSyllables([syllable(10.4, 20.6, 'nei5')], 1_000, 5_000)).toMatchObject([
      { startMs: 1_010, endMs: 1_021 },
    ]);
    expect(toRecognizedSyllables([syllable(100, 900, 'nei5')], 1_000, 1_500)).toMatchObject([
      { startMs: 1_100, endMs: 1_500 },
    ]);
  });

  test('leave out what is no syllable', () => {
    const recognized = toRecognizedSyllables(
      [syllable(0, 1, 'nei5', 'xx1', 'ga1'), syllable(1, 2, 'qq3'), syllable(2, 3)],
      0,
      10,
    );
    expect(recognized).toHaveLength(1);
    expect(recognized[0]!.alternatives.map(({ reading }) => reading)).toEqual(['nei5']);
  });
});
