import { describe, expect, it } from 'vitest';
import { diarizationFields, readDiarization, viewDiarization } from './diarization-fields.ts';

const read = (speakers: number | null, min: number | null, max: number | null) =>
  readDiarization({ speakers, min_speakers: min, max_speakers: max, diarization_threshold: null }, 'invalid_request')
    .speakers;

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
        const shown: Partial<Record<string, number>> = viewDiarization({ speakers: { min, max } });
        const { speakers = null, min_speakers: fewest = null, max_speakers: most = null } = shown;
        expect(read(speakers, fewest, most)).toEqual({ min, max });
      }
    }
    expect(viewDiarization({ speakers: { min: 1, max: 60 } })).toEqual({});
  });
});

describe('a field for a number of speakers', () => {
  it.each([
    ['1', 1],
    ['60', 60],
    ['  ', null],
    [undefined, null],
  ])('reads %j as %s', (value, expected) => {
    expect(diarizationFields.speakers.parse(value)).toBe(expected);
  });

  it.each(['0', '61', '-1', '1.5', 'two', 'NaN', 'Infinity', '\ud800'])('refuses %j', (value) => {
    expect(diarizationFields.speakers.safeParse(value).success).toBe(false);
  });
});

describe('the distance up to which two voices are one speaker', () => {
  it.each([
    ['0.9', 0.9],
    ['2', 2],
    ['', null],
    [undefined, null],
  ])('reads %j as %s', (value, expected) => {
    expect(diarizationFields.diarization_threshold.parse(value)).toBe(expected);
  });

  it.each(['0', '2.01', '-1', 'high', 'NaN'])('refuses %j', (value) => {
    expect(diarizationFields.diarization_threshold.safeParse(value).success).toBe(false);
  });

  it('is shown as it was sent, also without a number of speakers', () => {
    const none = { speakers: null, min_speakers: null, max_speakers: null };
    const read = readDiarization({ ...none, diarization_threshold: 0.9 }, 'invalid_request');
    expect(read).toEqual({ diarizationThreshold: 0.9 });
    expect(viewDiarization(read)).toEqual({ diarization_threshold: 0.9 });
  });
});
