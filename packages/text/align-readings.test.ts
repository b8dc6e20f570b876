import { describe, expect, it, test } from 'vitest';
import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { alignSyllables, alignSyllableIndexes, hanCharacters } from './align-readings.ts';

/** Syllables of 200 ms one after the other; `a|b` are alternatives. */
const heardAs = (line: string, fromMs = 0): RecognizedSyllable[] =>
  line.split(' ').map((syllable, index) => {
    const readings = syllable.split('|');
    return {
      startMs: fromMs + index * 200,
      endMs: fromMs + index * 200 + 200,
      alternatives: readings.map((reading, rank) => ({ reading, probability: 0.8 / 2 ** rank / 2 })),
    };
  });
/** Words of 200 ms one after the other; `_` is a pause of that length. */
const wordsOf = (line: string, fromMs = 0): Word[] =>
  line.split(' ').flatMap((text, index) => {
    const startMs = fromMs + index * 200;
    return text === '_' ? [] : [{ text, reading: null, startMs, endMs: startMs + 200, confidence: null }];
  });
const aligned = (text: string, words: Word[], heard: RecognizedSyllable[]) =>
  alignSyllables(text, words, heard).map((syllable) => syllable?.alternatives[0]?.reading ?? '-');

describe('without times, what was heard is found by its sound', () => {
  it.each([
    ['香港人', 'hoeng1 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港，人！', 'hoeng1 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港人', 'hoeng1 aa3 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港人', 'hoeng1 jan4', 'hoeng1 - jan4'],
    ['香港人', 'joeng1 kong2 jan6', 'joeng1 kong2 jan6'],
    ['我send咗email畀你', 'ngo5 sen1 zo2 ji1 meu1 bei2 lei5', 'ngo5 zo2 bei2 lei5'],
    ['香港人', 'hoeng1 sik6 jan4', 'hoeng1 sik6 jan4'],
  ])('%s heard as %s', (text, heard, expected) => {
    expect(aligned(text, [], heardAs(heard)).join(' ')).toBe(expected);
  });

  it('an alternative that was heard counts, not only the best', () => {
    expect(aligned('食飯', [], heardAs('wu1 kek1|sik6 faan6')).join(' ')).toBe('kek1 faan6');
  });
});

describe('with times, the time decides', () => {
  it('what sounds alike at another place is not taken', () => {
    // The second 好 was said 600 ms after the first.
    const words = wordsOf('好 _ _ 好');
    const heard = [...heardAs('hou2'), ...heardAs('hou2', 600)];
    expect(alignSyllables('好好', words, heard)).toEqual(heard);
    expect(alignSyllables('好好', words, heard.slice(1))).toEqual([null, heard[1]]);
  });

  it('a syllable that sounds like another character is still the one that was heard there', () => {
    expect(aligned('天大', wordsOf('天 大'), heardAs('daai6 tin1')).join(' ')).toBe('daai6 tin1');
  });

  it('times that are off by 80 ms change nothing', () => {
    for (const offMs of [-80, 80]) {
      expect(aligned('香港人', wordsOf('香 港 人'), heardAs('hoeng1 gong2 jan4', offMs)).join(' ')).toBe(
        'hoeng1 gong2 jan4',
      );
    }
  });

  it('the syllables of an English word belong to no character and are not free', () => {
    const { indexes, isFree } = alignSyllableIndexes('我call佢', wordsOf('我 call 佢'), heardAs('ngo5 ko1 keoi5'));
    expect(indexes).toEqual([0, 2]);
    expect(isFree).toEqual([false, false, false]);
  });

  it('a syllable of which no character was written is free', () => {
    const { indexes, isFree } = alignSyllableIndexes('九龍', wordsOf('九 龍'), heardAs('gau2 lung4 tong4'));
    expect(indexes).toEqual([0, 1]);
    expect(isFree).toEqual([false, false, true]);
  });

  it('words of several characters share their time, and words of another text are not believed', () => {
    const heard = heardAs('hoeng1 gong2');
    const word: Word = { text: '香港', reading: null, startMs: 0, endMs: 400, confidence: null };
    expect(alignSyllables('香港', [word], heard)).toEqual(heard);
    expect(alignSyllables('香港', wordsOf('a b c', 9_000), heard)).toEqual(heard);
  });
});

test('nothing heard, nothing written, or nothing that can be read', () => {
  expect(alignSyllables('香港', wordsOf('香 港'), [])).toEqual([null, null]);
  expect(alignSyllables('', [], heardAs('hoeng1'))).toEqual([]);
  expect(alignSyllables('OK 123，！', [], heardAs('hoeng1'))).toEqual([]);
  expect(alignSyllables('𠮶個', [], heardAs('go2 go3'))).toHaveLength(2);
  expect(alignSyllables('香', [], [{ startMs: 0, endMs: 1, alternatives: [] }])).toHaveLength(1);
});

test('any text and any syllables: one entry a character, forwards, nothing twice', () => {
  const syllables = ['hoeng1', 'gong2', 'nei5', 'x', 'sik6', 'jan4', ''];
  const characters = ['香', '港', '𠮶', 'a', ' ', '，', '食', '󠄀', '你', '\ud800', '3'];
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = (list: string[], n: number) =>
      list[(Math.imul(seed * 31 + n, 2_654_435_761) >>> 8) % list.length] ?? '';
    const text = Array.from({ length: seed % 13 }, (_, n) => pick(characters, n)).join('');
    const heard = heardAs(Array.from({ length: seed % 7 }, (_, n) => pick(syllables, n + 99)).join(' '), seed * 10);
    const words = seed % 2 === 0 ? [] : wordsOf([...text].join(' '));
    const { indexes, isFree } = alignSyllableIndexes(text, words, heard);
    expect(indexes).toHaveLength(hanCharacters(text).length);
    const used = indexes.filter((index) => index >= 0);
    expect(used).toEqual([...new Set(used)].toSorted((a, b) => a - b));
    expect(used.every((index) => index < heard.length && isFree[index] === false)).toBe(true);
  }
});
