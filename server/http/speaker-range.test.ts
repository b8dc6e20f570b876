import { describe, expect, it } from 'vitest';
import { readSpeakerRange, speakerFields, viewSpeakerRange } from './speaker-range.ts';

const read = (speakers: number | null, min: number | null, max: number | null) =>
  readSpeakerRange({ speakers, min_speakers: min, max_speakers: max }, 'invalid_request');

describe('the range of speakers', () => {
  it.each([
    [null, null, null, undefined],
    [3, null, null, { min: 3, max: 3 }],
    [null, 2, null, { min: 2, max: 60 }],
    [null, null, 4, { min: 1, max: 4 }],
    [null, 2, 2, { min: 2, max: 2 }],
    [3, 1, 60, { min: 3, max: 3 }],
    [3, 3, 3, { min: 3, max: 3 }],
  ])('speakers %s, min %s, max %s', (speakers, min, max, expected) => {
    expect(read(speakers, min, max)).toEqual(expected);
  });

  it.each([
    [null, 5, 4, 'The field "min_speakers" must not be above "max_speakers".'],
    [2, 5, 4, 'The field "min_speakers" must not be above "max_speakers".'],
    [1, 2, null, 'The field "speakers" must not be below "min_speakers".'],
    [5, null, 4, 'The field "speakers" must not be above "max_speakers".'],
  ])('refuses speakers %s, min %s, max %s', (speakers, min, max, message) => {
    expect(() => read(speakers, min, max)).toThrow(message);
  });

  it('is read again from the fields that show it', () => {
    for (let min = 1; min <= 60; min += 1) {
      for (let max = min; max <= 60; max += 1) {
        if (min === 1 && max === 60) continue;
        const shown = viewSpeakerRange({ min, max });
        expect(read(shown.speakers ?? null, shown.min_speakers ?? null, shown.max_speakers ?? null)).toEqual({
          min,
          max,
        });
      }
    }
    expect(viewSpeakerRange({ min: 1, max: 60 })).toEqual({});
  });
});

describe('a field for a number of speakers', () => {
  it.each([
    ['1', 1],
    ['60', 60],
    ['  ', null],
    [undefined, null],
  ])('reads %j as %s', (sent, expected) => {
    expect(speakerFields.speakers.parse(sent)).toBe(expected);
  });

  it.each(['0', '61', '-1', '1.5', 'two', 'NaN', 'Infinity', '\ud800'])('refuses %j', (sent) => {
    expect(speakerFields.speakers.safeParse(sent).success).toBe(false);
  });
});
