import { expect, test } from 'vitest';
import { alignTokens } from './align-tokens.ts';

const bare = (syllable: string) => syllable.slice(0, -1);
const pairs = (expected: string, recognized: string) =>
  alignTokens(expected.split(' '), recognized.split(' ').filter(Boolean), bare).map(([a, b]) => `${a}>${b}`);

test('matching tokens are paired in order despite deletions, insertions and substitutions', () => {
  expect(pairs('nei5 hou2 aa3', 'nei5 hou3 aa3')).toEqual(['nei5>nei5', 'hou2>hou3', 'aa3>aa3']);
  expect(pairs('nei5 hou2 aa3', 'nei4 aa3')).toEqual(['nei5>nei4', 'aa3>aa3']);
  expect(pairs('nei5 aa3', 'nei5 hou2 maa1 aa1')).toEqual(['nei5>nei5', 'aa3>aa1']);
  expect(pairs('ngo5 hai6', 'o5 hai6')).toEqual(['hai6>hai6']);
  expect(pairs('ngo5', '')).toEqual([]);
});
