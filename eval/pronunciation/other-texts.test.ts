import { expect, it } from 'vitest';
import { otherTexts, spokenLength } from './other-texts.ts';

it('a sentence is held against another one with as many words, never against itself', () => {
  const texts = ['a b', 'c d e', 'a b', 'f g', 'h i j', 'k'];
  const others = otherTexts(texts).map(([other]) => texts[other!]);
  expect(others).toEqual(['f g', 'h i j', 'f g', 'a b', 'c d e', 'a b']);
});

it('further ones are the next in length, each text once', () => {
  const texts = ['a', 'b c', 'b c', 'd e f'];
  expect(otherTexts(texts, 3)[0]).toEqual([1, 3]);
  expect(otherTexts(texts, 1)[3]).toEqual([1]);
});

it('characters count as words do', () => {
  expect(spokenLength('我哋去 park 行下，好冇？')).toBe(8);
  expect(spokenLength("It's twelve o'clock, isn't it?")).toBe(5);
  expect(spokenLength('。')).toBe(0);
});

it('one sentence alone cannot be held against another', () => {
  expect(() => otherTexts(['a b', 'a b'])).toThrow('All recordings say the same sentence.');
});
