import { describe, expect, it } from 'vitest';
import type { EditedSegment } from './editor.ts';
import { beginsGroup, mergeWithPrevious, moveBorder, splitAt, withoutSegment } from './segments.ts';

/** A segment whose characters last half a second. */
function spokenSegment(key: number, text: string, start: number, speaker: string | null = null): EditedSegment {
  const characters = [...text]
    .filter((character) => /\p{Script=Han}/u.test(character))
    .map((character, index) => ({
      text: character,
      start: start + index / 2,
      end: start + index / 2 + 0.4,
      confidence: 1,
    }));
  const end = start + characters.length / 2 - 0.1;
  const words = characters.length === 0 ? [] : [{ text, start, end, confidence: 1, characters }];
  return { key, text, start, end: Math.max(end, start + 1), speaker, words };
}

const shown = (segments: readonly EditedSegment[] = []) =>
  segments.map(({ text, start, end, speaker }) => [text, start, end, speaker]);
const charactersOf = (segments: readonly EditedSegment[] = []) =>
  segments.map(({ words }) => words.flatMap(({ characters }) => characters.map(({ text }) => text)).join(''));

const TWO = [spokenSegment(0, '早晨大家', 0, 'SPEAKER_00'), spokenSegment(1, '多謝你哋', 3, 'SPEAKER_01')];

describe('splitAt', () => {
  it('gives each part its characters and their times', () => {
    const split = splitAt(TWO, 0, 2);
    expect(shown(split?.segments)).toEqual([
      ['早晨', 0, 0.9, 'SPEAKER_00'],
      ['大家', 1, 1.9, 'SPEAKER_00'],
      ['多謝你哋', 3, 4.9, 'SPEAKER_01'],
    ]);
    expect(charactersOf(split?.segments)).toEqual(['早晨', '大家', '多謝你哋']);
    expect([split?.key, split?.caret, new Set(split?.segments.map(({ key }) => key)).size]).toEqual([2, 0, 3]);
  });
  it('gives the second part a key with which no group of rows begins', () => {
    for (const most of [38, 39, 40, 79]) {
      const split = splitAt([spokenSegment(most, '早晨大家', 0)], most, 2);
      expect(split!.key).toBeGreaterThan(most);
      expect(beginsGroup(split!.key)).toBe(false);
    }
  });

  it('keeps marks with the part before, and spaces with neither', () => {
    const split = splitAt([spokenSegment(0, '早晨， 大家。', 0)], 0, 4);
    expect(split?.segments.map(({ text }) => text)).toEqual(['早晨，', '大家。']);
  });
  it('guesses the time of a text without timed words', () => {
    const split = splitAt([{ key: 0, text: 'good day', start: 0, end: 4, speaker: null, words: [] }], 0, 4);
    expect(shown(split?.segments)).toEqual([
      ['good', 0, 2.286, null],
      ['day', 2.286, 4, null],
    ]);
  });
  it.each([0, 4, 9])('does nothing at %d, where a part would be empty', (offset) =>
    expect(splitAt(TWO, 0, offset)).toBeNull(),
  );
});

it('merging takes back a split, and puts the cursor at the seam', () => {
  const split = splitAt(TWO, 0, 2)!;
  const merged = mergeWithPrevious(split.segments, split.key);
  expect(shown(merged?.segments)).toEqual(shown(TWO));
  expect(charactersOf(merged?.segments)).toEqual(charactersOf(TWO));
  expect([merged?.key, merged?.caret]).toEqual([0, 2]);
  expect(mergeWithPrevious(TWO, 0)).toBeNull();
});

it('merging puts a space between letters only, and never runs into the next segment of the speaker', () => {
  const channels = [
    spokenSegment(0, 'OK', 0, 'SPEAKER_00'),
    spokenSegment(1, 'fine 好', 0.5, 'SPEAKER_01'),
    spokenSegment(2, '係', 1, 'SPEAKER_00'),
  ];
  const merged = mergeWithPrevious(channels, 1);
  expect(shown(merged?.segments)).toEqual([
    ['OK fine 好', 0, 1, 'SPEAKER_00'],
    ['係', 1, 2, 'SPEAKER_00'],
  ]);
});

it('moves the border between two speakers, either way', () => {
  expect(shown(moveBorder(TWO, 1, 2, 'previous')?.segments)).toEqual([
    ['早晨大家多謝', 0, 3.9, 'SPEAKER_00'],
    ['你哋', 4, 4.9, 'SPEAKER_01'],
  ]);
  const moved = moveBorder(TWO, 0, 2, 'next');
  expect(shown(moved?.segments)).toEqual([
    ['早晨', 0, 0.9, 'SPEAKER_00'],
    ['大家多謝你哋', 1, 4.9, 'SPEAKER_01'],
  ]);
  expect(charactersOf(moved?.segments)).toEqual(['早晨', '大家多謝你哋']);
  expect([moveBorder(TWO, 0, 2, 'previous'), moveBorder(TWO, 1, 2, 'next')]).toEqual([null, null]);
});

it('deletes a segment, and the last one', () => {
  expect(withoutSegment(TWO, 1)).toMatchObject({ segments: [TWO[0]], key: 0 });
  expect(withoutSegment([TWO[0]!], 0)).toEqual({ segments: [], key: -1, caret: 0 });
});
