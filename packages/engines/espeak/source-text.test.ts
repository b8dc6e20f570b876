import { describe, expect, it } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { planSource, type SourceCall } from './source-text.ts';

const word = (written: string, language: Language, ...reading: string[]): SpokenWord => {
  return { written, language, spokenForm: written, reading };
};
const yue = (written: string, ...reading: string[]) => word(written, 'cantonese', ...reading);
const cmn = (written: string, ...reading: string[]) => word(written, 'mandarin', ...reading);
const en = (written: string, ...reading: string[]) => word(written, 'english', ...reading);

const plan = (words: readonly SpokenWord[], isFirst = false) =>
  planSource({ words, ending: 'statement' }, isFirst).calls;
/** Returns the text that espeak-ng gets for the words of one call. */
const textOf = (...words: SpokenWord[]) =>
  plan(words)
    .map(({ text }) => text)
    .join(' | ');
/** Returns the part of a text that belongs to each item. */
const spokenBy = ({ text, items }: SourceCall) => items.map(({ from, to }) => [...text].slice(from, to).join(''));

describe('the text for espeak-ng', () => {
  it('has one syllable for each of the reading', () => {
    expect(textOf(yue('香港', 'hoeng1', 'gong2'))).toBe('hoeng1 gong2');
    expect(textOf(cmn('你好', 'ni3', 'hao3'))).toBe('ni3 hao3');
  });

  it.each([
    ['唔', 'm4', 'am4'],
    ['五', 'ng5', 'ang5'],
    ['HOENG1', 'HOENG1', 'hoeng1'],
  ])('has %s (%s) as %s', (written, reading, expected) => {
    expect(textOf(yue(written, reading))).toBe(expected);
  });

  it.each([
    ['穷', 'qiong2', "[[tS;hj'ong]]"],
    ['熊', 'xiong2', "[[S;j'ong]]"],
    ['女', 'nv3', 'nv3'],
    ['花儿', 'huar1', 'hua1'],
    ['儿', 'r5', 'er5'],
    ['嗯', 'ng2', 'en2'],
    ['诶', 'ê1', 'ei1'],
    ['二', 'er4', 'er4'],
  ])('has %s (%s) as %s', (written, reading, expected) => {
    expect(textOf(cmn(written, reading))).toBe(expected);
  });

  it('has English words as they are, or by their phones', () => {
    expect(textOf(en('hello'), en('world'))).toBe('hello world');
    expect(textOf(en('read', 'R', 'EH1', 'D'))).toBe("[[r|'E|d]]");
    // A word with phones that do not exist is spelled as usual.
    expect(textOf(en('read', 'XX'))).toBe('read');
  });

  it.each([
    ["don't", "don't"],
    ['a*b_c', 'a b c'],
    ['[[Inject]]', 'Inject'],
    ['cafe\u0301', 'café'],
    ['<s>', 's'],
    ['24', '24'],
  ])('has only letters and digits of %s', (written, expected) => {
    expect(textOf(en(written))).toBe(expected);
  });

  it.each<[string, SpokenWord[]]>([
    ['no word', []],
    ['a syllable that does not exist', [yue('x', 'hello1')]],
    ['a reading of another language', [yue('x', 'zhong1')]],
    ['signs', [en('***')]],
    ['no reading', [yue('香')]],
  ])('is none for %s', (_name, words) => {
    expect(plan(words)).toEqual([]);
  });
});

const syllables = (count: number) => Array.from({ length: count }, () => yue('香', 'hoeng1'));
const sizes = (calls: readonly SourceCall[]) => calls.map(({ items }) => items.length);

describe('the calls of espeak-ng', () => {
  it('are of one voice each', () => {
    const calls = plan([yue('我', 'ngo5'), en('send'), en('email'), yue('俾', 'bei2'), cmn('你', 'ni3')]);
    expect(calls.map(({ voice }) => voice)).toEqual(['yue', 'en', 'yue', 'cmn']);
  });

  it('begin with a short one, because the first sound waits for it', () => {
    const [first] = sizes(plan(syllables(20), true));
    const [later] = sizes(plan(syllables(20)));
    expect(first).toBeLessThan(later!);
  });

  it.each([1, 5, 8, 9, 10, 11, 30, 100])(
    'have all of %i syllables once, in order, in calls of a bounded size',
    (count) => {
      const words = Array.from({ length: count }, (_, index) => yue(`字${index}`, 'hoeng1'));
      for (const isFirst of [true, false]) {
        const calls = plan(words, isFirst);
        expect(calls.flatMap(({ items }) => items.map(({ word: number }) => number))).toEqual([...words.keys()]);
        expect(Math.max(...sizes(calls))).toBeLessThanOrEqual(11);
      }
    },
  );

  it('do not end within a word where one more syllable ends it', () => {
    const words = [...syllables(7), yue('香港', 'hoeng1', 'gong2'), ...syllables(6)];
    const [first] = plan(words);
    expect(first!.items.at(-1)!.isWordEnd).toBe(true);
    expect(first!.items).toHaveLength(9);
  });

  it('have a neighbor on each side, which is not used', () => {
    const words = Array.from({ length: 24 }, (_, index) => yue(`字${index}`, `hoeng${(index % 6) + 1}`));
    const calls = plan(words);
    expect(calls.length).toBeGreaterThan(2);
    for (const [index, call] of calls.entries()) {
      const neighbors = (index > 0 ? 1 : 0) + (index < calls.length - 1 ? 1 : 0);
      expect(call.context).toHaveLength(neighbors);
      expect(call.text.split(' ')).toHaveLength(call.items.length + neighbors);
    }
  });

  it('say where each item is in the text', () => {
    const words = [yue('我', 'ngo5'), yue('唔係', 'm4', 'hai6'), yue('香港人', 'hoeng1', 'gong2', 'jan4')];
    const [call] = plan(words);
    expect(spokenBy(call!)).toEqual(['ngo5', 'am4', 'hai6', 'hoeng1', 'gong2', 'jan4']);
    expect(call!.items.map(({ isOnlyCoda }) => isOnlyCoda)).toEqual([false, true, false, false, false, false]);
    expect(call!.items.map(({ isWordStart, isWordEnd }) => `${+isWordStart}${+isWordEnd}`).join(' ')).toBe(
      '11 10 01 10 00 01',
    );
  });

  it('of very long words are split into items that the program can hold, and nothing is lost', () => {
    const letters = 'abcdefghij'.repeat(50);
    const calls = plan([en(letters)]);
    const spoken = calls.flatMap(spokenBy);
    expect(Math.max(...spoken.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(spoken.join('').replaceAll(' ', '')).toBe(letters);
  });
});
