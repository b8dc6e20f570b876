import { expect, it } from 'vitest';
import { otherTexts, spokenLength } from './other-texts.ts';

it('each sentence is compared with another one of as many words, never with itself', () => {
  const texts = ['a b', 'c d e', 'a b', 'f g', 'h i j', 'k'];
  const chosen = otherTexts(texts).map(([other]) => texts[other!]);
  expect(chosen).toEqual(['f g', 'h i j', 'f g', 'a b', 'c d e', 'a b']);
});

it('further texts are the next in length, each once', () => {
  const texts = ['a', 'b c', 'b c', 'd e f'];
  expect(otherTexts(texts, 3)[0]).toEqual([1, 3]);
  expect(otherTexts(texts, 1)[3]).toEqual([1]);
});

it('a character counts as much as a word', () => {
  expect(spokenLength('我哋去 park 行下，好冇？')).toBe(8);
  expect(spokenLength("It's twelve o'clock, isn't it?")).toBe(5);
  expect(spokenLength('。')).toBe(0);
});

it('a single distinct sentence is refused', () => {
  expect(() => otherTexts(['a b', 'a b'])).toThrow('All recordings have the same sentence.');
});
