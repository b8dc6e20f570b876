import { expect, it } from 'vitest';
import { punctuatedWords } from './punctuated-words.ts';

it.each([
  ['今日好熱，你呢？', ['今日', '好', '熱', '你', '呢'], ['今日', '好', '熱，', '你', '呢？']],
  ['He said “no,” twice (2).', ['He', 'said', 'no', 'twice', '2'], ['He', 'said', '“no,”', 'twice', '(2).']],
  ['佢話：「唔得！」', ['佢', '話', '唔得'], ['佢', '話：', '「唔得！」']],
  ['係……好', ['係', '好'], ['係……', '好']],
  ['我哋去', ['我', '地', '去'], ['我', '地', '去']],
  ["It's 9:30 a.m.", ["It's", '9:30', 'a.m'], ["It's", '9:30', 'a.m.']],
  ['', ['x', ''], ['x', '']],
])('the words of %s carry their marks', (text, words, expected) => {
  expect(punctuatedWords(text, words)).toEqual(expected);
});
