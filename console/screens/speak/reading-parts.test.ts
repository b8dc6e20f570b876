import { expect, it } from 'vitest';
import { readingOf, withReading } from './reading-parts.ts';

const PARTS = [
  { character: '行', jyutping: 'hong4' },
  { character: '，', jyutping: null },
  { character: '28', jyutping: 'ji6 sap6 baat3' },
];

it('gives each part its syllables of a reading', () => {
  expect(withReading(PARTS, ' haang4  ji6 aa6 baat3')).toEqual([
    { character: '行', jyutping: 'haang4' },
    { character: '，', jyutping: null },
    { character: '28', jyutping: 'ji6 aa6 baat3' },
  ]);
  expect(readingOf(PARTS)).toBe('hong4 ji6 sap6 baat3');
});

it.each(['', 'hong4', 'hong4 ji6 sap6', 'hong4 ji6 sap6 baat3 man1'])(
  'takes no reading of another length: %j',
  (typed) => {
    expect(withReading(PARTS, typed)).toBeNull();
  },
);
