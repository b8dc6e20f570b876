import { expect, test } from 'vitest';
import { textToJyutping } from './text-to-jyutping.ts';

const spoken = (text: string): string =>
  textToJyutping(text)
    .map(({ jyutping }) => jyutping ?? '-')
    .join(' ');

test('a reading depends on the word', () => {
  expect(spoken('銀行')).toBe('ngan4 hong4');
  expect(spoken('行街')).toBe('haang4 gaai1');
});

test('digits, Latin letters and punctuation have no reading', () => {
  expect(textToJyutping('去OK3，').map(({ jyutping }) => jyutping)).toEqual(['heoi3', null, null, null, null]);
  expect(textToJyutping('')).toEqual([]);
});

test('all readings are given, the one in context first', () => {
  const [first] = textToJyutping('行');
  expect(first?.readings).toEqual(expect.arrayContaining(['haang4', 'hang4', 'hong4']));
  expect(first?.readings[0]).toBe(first?.jyutping);
});

test('a character that is read as two syllables gets its short reading', () => {
  expect(spoken('卅年廿日')).toBe('saa1 nin4 jaa6 jat6');
  expect(textToJyutping('卌')).toEqual([{ char: '卌', jyutping: 'se3', readings: ['se3'] }]);
});

test('a character outside the basic plane is one entry', () => {
  expect(textToJyutping('𨋢𡃁')).toHaveLength(2);
});
