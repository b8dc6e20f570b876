import { expect, test } from 'vitest';
import { englishSpelling } from './english-spelling.ts';

const spell = englishSpelling({
  capitalized: new Set(['london', 'unfortunately', 'hey', 'paris', 'tom']),
  dictionaryNames: new Set(['london', 'paris']),
  dictionaryWords: new Set(['unfortunately', 'tom', 'constructor']),
});

test('names, I and their derived forms are capitalized', () => {
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

test('words that often begin sentences are not capitalized', () => {
  expect(['Unfortunately', 'HEY', 'is', "it's", 'constructor'].map(spell)).toEqual([
    'unfortunately',
    'hey',
    'is',
    "it's",
    'constructor',
  ]);
});
