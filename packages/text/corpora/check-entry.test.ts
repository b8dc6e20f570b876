import { describe, expect, it } from 'vitest';
import { checkEntry, countHan } from './check-entry.ts';

describe('an entry of a corpus', () => {
  it.each([
    ['a name', { text: '陳大文' }, { text: '陳大文', jyutping: null, weight: 1 }],
    [
      'a name with its reading',
      { text: '旺角', jyutping: 'wong6 gok3', weight: 2.5 },
      { text: '旺角', jyutping: 'wong6 gok3', weight: 2.5 },
    ],
    [
      'capitals and spaces',
      { text: '  Apple   Pay ', jyutping: ' ' },
      { text: 'Apple Pay', jyutping: null, weight: 1 },
    ],
    [
      'a reading in capitals',
      { text: '旺角', jyutping: ' WONG6\tGok3 ' },
      { text: '旺角', jyutping: 'wong6 gok3', weight: 1 },
    ],
    ['letters around characters', { text: 'T恤', jyutping: 'seot1' }, { text: 'T恤', jyutping: 'seot1', weight: 1 }],
    ['a Latin name', { text: 'IKEA', jyutping: 'ji4 ke4' }, { text: 'IKEA', jyutping: 'ji4 ke4', weight: 1 }],
    ['decomposed accents', { text: 'Cafe\u0301' }, { text: 'Café', jyutping: null, weight: 1 }],
    ['copied marks without a width', { text: '\ufeff旺\u200b角' }, { text: '旺角', jyutping: null, weight: 1 }],
    ['a rare character of two units', { text: '𨋢', jyutping: 'lip1' }, { text: '𨋢', jyutping: 'lip1', weight: 1 }],
    ['forty rare characters', { text: '𨋢'.repeat(40) }, { text: '𨋢'.repeat(40), jyutping: null, weight: 1 }],
    [
      'no weight and no reading',
      { text: '旺角', jyutping: null, weight: null },
      { text: '旺角', jyutping: null, weight: 1 },
    ],
    ['the largest weight', { text: '旺角', weight: 10 }, { text: '旺角', jyutping: null, weight: 10 }],
  ])('with %s is accepted', (_name, raw, entry) => {
    expect(checkEntry(raw)).toEqual(entry);
  });

  it.each([
    ['nothing', {}, 'has no text'],
    ['a number', { text: 5 }, 'has no text'],
    ['spaces', { text: ' \u200b ' }, 'has no text'],
    // The normalization of this text would take hours.
    ['a million marks', { text: '\u0300\u0316'.repeat(500_000) }, 'its text has 1000000 characters'],
    ['digits only', { text: '1823' }, 'neither a Chinese character nor a Latin letter'],
    ['an emoji only', { text: '😀' }, 'neither a Chinese character nor a Latin letter'],
    ['a line break', { text: '旺\n角' }, 'a control character'],
    ['a mark of direction', { text: '旺\u202e角' }, 'a control character'],
    ['half a character', { text: '旺\ud83d' }, 'a control character'],
    ['41 characters', { text: '字'.repeat(41) }, 'its text has 41 characters instead of at most 40'],
    ['too few syllables', { text: '旺角', jyutping: 'wong6' }, 'is 1, that of its Chinese characters 2'],
    ['too many syllables', { text: 'T恤', jyutping: 'ti1 seot1' }, 'is 2, that of its Chinese characters 1'],
    ['a syllable without a tone', { text: '旺角', jyutping: 'wong6 gok' }, 'syllable 2 is not jyutping'],
    ['a reading that is a list', { text: '旺角', jyutping: ['wong6', 'gok3'] }, 'its jyutping is not a string'],
    ['the weight 0', { text: '旺角', weight: 0 }, 'its weight'],
    ['the weight 10.1', { text: '旺角', weight: 10.1 }, 'its weight'],
    ['no number as weight', { text: '旺角', weight: NaN }, 'its weight'],
    ['a weight in quotes', { text: '旺角', weight: '2' }, 'its weight'],
  ])('with %s is refused', (_name, raw, problem) => {
    expect(checkEntry(raw)).toEqual(expect.stringContaining(problem));
  });

  it('that is refused is not repeated in the message, which may be logged', () => {
    for (const raw of [{ text: '秘密\n名字' }, { text: '秘密', jyutping: 'secret word9' }, { text: '秘密'.repeat(30) }])
      expect(checkEntry(raw)).not.toMatch(/秘密|secret/u);
  });
});

it('characters are counted as people count them', () => {
  expect(countHan('T恤𨋢，A4紙々1')).toBe(4);
});
