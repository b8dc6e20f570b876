import { expect, test } from 'vitest';
import { englishSpelling } from './english-spelling.ts';

const spell = englishSpelling({
  capitalised: new Set(['london', 'unfortunately', 'hey', 'paris', 'tom']),
  dictionaryNames: new Set(['london', 'paris']),
  dictionaryWords: new Set(['unfortunately', 'tom', 'constructor']),
});

test('names have a capital, and so have I and what is made of them', () => {
  expect(['LONDON', "london's", 'i', "i'll", 'Tom', 'mr', 'nasa'].map(spell)).toEqual([
    'London',
    "London's",
    'I',
    "I'll",
    'Tom',
    'Mr',
    'NASA',
  ]);
});

test('words that only like to begin sentences have none', () => {
  expect(['Unfortunately', 'HEY', 'is', "it's", 'constructor'].map(spell)).toEqual([
    'unfortunately',
    'hey',
    'is',
    "it's",
    'constructor',
  ]);
});
