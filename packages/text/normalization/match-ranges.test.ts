import { describe, expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { tokenizePiece } from './tokenize.ts';

function firstRange(text: string, language: Language = 'cantonese'): string | null {
  const token = tokenizePiece(text, language).tokens.find(({ token: { kind } }) => kind === 'range')?.token;
  return token?.kind === 'range' ? `${token.from.kind} ${token.from.text} > ${token.to.kind} ${token.to.text}` : null;
}
const kindsOf = (text: string) => tokenizePiece(text, 'cantonese').tokens.map(({ token }) => token.kind);

describe('a range', () => {
  test.each([
    ['3-5', 'number 3 > number 5'],
    ['3–5', 'number 3 > number 5'],
    ['3—5', 'number 3 > number 5'],
    ['3~5', 'number 3 > number 5'],
    ['3～5', 'number 3 > number 5'],
    ['3 - 5', 'number 3 > number 5'],
    ['1.5-2.5', 'number 1.5 > number 2.5'],
    ['9:00-17:00', 'time 9:00 > time 17:00'],
    ['9am-5pm', 'time 9am > time 5pm'],
    ['5-6點', 'number 5 > time 6點'],
    ['9–5點', 'number 9 > time 5點'],
    ['5~6:30', 'number 5 > time 6:30'],
    ['$3-$5', 'money $3 > money $5'],
    ['$3-5', 'money $3 > number 5'],
    ['10%-20%', 'percent 10% > percent 20%'],
    ['10-20%', 'number 10 > percent 20%'],
    ['18-23°C', 'number 18 > temperature 23°C'],
    ['5-10kg', 'number 5 > quantity 10kg'],
    ['5kg-10kg', 'quantity 5kg > quantity 10kg'],
    ['100-200蚊', 'number 100 > money 200蚊'],
    ['1997-2003', 'year 1997 > year 2003'],
    ['2024-25', 'year 2024 > year 25'],
    ['2024/25', 'year 2024 > year 25'],
    ['2024/2025', 'year 2024 > year 2025'],
    ['1999/00', 'year 1999 > year 00'],
  ])('%s is %s', (text, range) => {
    expect(firstRange(text)).toBe(range);
  });

  test.each([
    ['5-3=2', 'a subtraction'],
    ['1-2-3', 'a list'],
    ['2024/26', 'no neighboring years'],
    ['2024/2026', 'no neighboring years'],
    ['2003-1997', 'falling'],
    ['05-10', 'a leading zero'],
    ['3-kg', 'no second number'],
    ['3--5', 'two dashes'],
    ['10%-3kg', 'two kinds'],
    ['$3-5kg', 'money and weight'],
  ])('%s is none: %s', (text) => {
    expect(firstRange(text)).toBeNull();
  });
});

describe('a score', () => {
  test.each([
    ['3-0', '3', '0'],
    ['2-2', '2', '2'],
    ['112-108', '112', '108'],
    ['3:2', '3', '2'],
    ['16:9', '16', '9'],
  ])('%s is %s to %s', (text, home, away) => {
    expect(tokenizePiece(text, 'cantonese').tokens[0]?.token).toMatchObject({ kind: 'score', home, away });
  });

  test('numbers that are far apart, or joined by a wave, are no score', () => {
    expect(kindsOf('500-3')).not.toContain('score');
    expect(kindsOf('3~0')).not.toContain('score');
  });
});
