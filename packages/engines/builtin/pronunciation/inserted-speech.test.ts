import { expect, test } from 'vitest';
import { labelsFor } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { countInsertions, insertedSpeech } from './inserted-speech.ts';
import type { RecognizedAttempt } from './recognize-attempts.ts';
import { syllableSounds } from './syllable-sounds.ts';

const sounds = syllableSounds('cantonese', labelsFor('cantonese'), ['hoeng', 'gong', 'e', 'laa', 'm']);
const units = ['hoeng1', 'gong2', null].map((written) => (written === null ? null : [sounds.read(written)!]));

/** Attempts in order: the syllable, and the unit of the text it is one at, null for none. */
function attempts(...list: readonly (readonly [string, number | null, number])[]): RecognizedAttempt[] {
  return list.map(([written, unit, place], index) => ({
    attempt: {
      unit,
      place,
      startFrame: 10 * index,
      endFrame: 10 * index + 5,
      rimeStart: 10 * index,
      rimeEnd: 10 * index + 5,
    },
    sounding: { startFrame: 10 * index, endFrame: 10 * index + 8 },
    heard: sounds.read(written)!,
    judged: null,
    contourSemitones: [],
  }));
}

test('what the text does not have is named by its kind, with its time', () => {
  const all = insertedSpeech(
    attempts(
      ['hoeng1', 0, 0],
      ['e6', null, 0],
      ['hoeng1', 0, 0],
      ['laa1', null, 1],
      ['gong2', 1, 1],
      ['laa1', null, 2],
    ),
    units,
    sounds,
  );
  expect(all.map(({ kind, heard: syllable }) => `${kind} ${syllable}`)).toEqual([
    'repetition hoeng1',
    'filler e6',
    'other laa1',
  ]);
  expect(all[1]).toMatchObject({ startMs: 300, endMs: 540 });
  expect(countInsertions(all)).toEqual({ repetitions: 1, insertions: 1, fillers: 1 });
});
