import { expect, test } from 'vitest';
import { rightTokens, termErrors } from './term-errors.ts';

const count = (recognized: string, expected: string, terms: string[]) => {
  const { errors, length } = termErrors(
    [...recognized],
    [...expected],
    terms.map((term) => [...term]),
    null,
  );
  return `${errors}/${length}`;
};

test('only the characters of terms count, wherever they occur', () => {
  expect(count('我去深水步', '我去深水埗', ['深水埗'])).toBe('1/3');
  expect(count('佢去深水埗', '我去深水埗', ['深水埗'])).toBe('0/3');
  expect(count('深水步同深水埗', '深水埗同深水埗', ['深水埗'])).toBe('1/6');
});

test('missing characters of a term count, and insertions before a term do not', () => {
  expect(count('我去深水', '我去深水埗', ['深水埗'])).toBe('1/3');
  expect(count('我要去到深水埗', '我去深水埗', ['深水埗'])).toBe('0/3');
  expect(count('', '深水埗', ['深水埗'])).toBe('3/3');
});

test('overlapping terms count once and absent terms do not count', () => {
  expect(count('旺角', '深水埗', ['深水埗', '水埗'])).toBe('3/3');
  expect(count('旺角', '旺角', ['深水埗'])).toBe('0/0');
});

test('an empty reference has no right tokens', () => {
  expect(rightTokens([], [])).toEqual([]);
  expect(rightTokens([], ['a'])).toEqual([false]);
});
