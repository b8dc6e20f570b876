import { describe, expect, it, test } from 'vitest';
import type { RecognizedSyllable, Word } from '@jyutsing/contracts/transcript';
import { alignSyllableIndexes, hanCharacters } from './align-readings.ts';

/** Consecutive syllables of 200 ms; `a|b` are alternatives. */
const syllablesOf = (line: string, fromMs = 0): RecognizedSyllable[] =>
  line.split(' ').map((syllable, index) => {
    const readings = syllable.split('|');
    return {
      startMs: fromMs + index * 200,
      endMs: fromMs + index * 200 + 200,
      alternatives: readings.map((reading, rank) => ({ reading, probability: 0.8 / 2 ** rank / 2 })),
    };
  });
/** Consecutive words of 200 ms; `_` is a pause of that length. */
const wordsOf = (line: string, fromMs = 0): Word[] =>
  line.split(' ').flatMap((text, index) => {
    const startMs = fromMs + index * 200;
    return text === '_' ? [] : [{ text, reading: null, startMs, endMs: startMs + 200, confidence: null }];
  });
/** For each Chinese character its syllable, null for none. */
const alignSyllables = (text: string, words: Word[], recognized: RecognizedSyllable[]) =>
  alignSyllableIndexes(text, words, recognized).indexes.map((index) => recognized[index] ?? null);
const aligned = (text: string, words: Word[], recognized: RecognizedSyllable[]) =>
  alignSyllables(text, words, recognized).map((syllable) => syllable?.alternatives[0]?.reading ?? '-');

describe('without times, syllables are aligned by sound', () => {
  it.each([
    ['香港人', 'hoeng1 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港，人！', 'hoeng1 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港人', 'hoeng1 aa3 gong2 jan4', 'hoeng1 gong2 jan4'],
    ['香港人', 'hoeng1 jan4', 'hoeng1 - jan4'],
    ['香港人', 'joeng1 kong2 jan6', 'joeng1 kong2 jan6'],
    ['我send咗email畀你', 'ngo5 sen1 zo2 ji1 meu1 bei2 lei5', 'ngo5 zo2 bei2 lei5'],
    ['香港人', 'hoeng1 sik6 jan4', 'hoeng1 sik6 jan4'],
  ])('%s recognized as %s', (text, recognized, expected) => {
    expect(aligned(text, [], syllablesOf(recognized)).join(' ')).toBe(expected);
  });

  it('all alternatives count, not only the best', () => {
    expect(aligned('食飯', [], syllablesOf('wu1 kek1|sik6 faan6')).join(' ')).toBe('kek1 faan6');
  });
});

describe('with times, the time decides', () => {
  it('a syllable that sounds alike at another time is not aligned', () => {
    // The second 好 was spoken 600 ms after the first.
    const words = wordsOf('好 _ _ 好');
    const recognized = [...syllablesOf('hou2'), ...syllablesOf('hou2', 600)];
    expect(alignSyllables('好好', words, recognized)).toEqual(recognized);
    expect(alignSyllables('好好', words, recognized.slice(1))).toEqual([null, recognized[1]]);
  });

  it('a syllable that sounds like another character is still aligned by its time', () => {
    expect(aligned('天大', wordsOf('天 大'), syllablesOf('daai6 tin1')).join(' ')).toBe('daai6 tin1');
  });

  it('times that are off by 80 ms change nothing', () => {
    for (const offMs of [-80, 80]) {
      expect(aligned('香港人', wordsOf('香 港 人'), syllablesOf('hoeng1 gong2 jan4', offMs)).join(' ')).toBe(
        'hoeng1 gong2 jan4',
      );
    }
  });

  it('syllables of an English word are aligned to no character and are not free', () => {
    const { indexes, isFree } = alignSyllableIndexes('我call佢', wordsOf('我 call 佢'), syllablesOf('ngo5 ko1 keoi5'));
    expect(indexes).toEqual([0, 2]);
    expect(isFree).toEqual([false, false, false]);
  });

  it('a syllable without a written character is free', () => {
    const { indexes, isFree } = alignSyllableIndexes('九龍', wordsOf('九 龍'), syllablesOf('gau2 lung4 tong4'));
    expect(indexes).toEqual([0, 1]);
    expect(isFree).toEqual([false, false, true]);
  });

  it('words of several characters share their time, and words of another text are ignored', () => {
    const recognized = syllablesOf('hoeng1 gong2');
    const word: Word = { text: '香港', reading: null, startMs: 0, endMs: 400, confidence: null };
    expect(alignSyllables('香港', [word], recognized)).toEqual(recognized);
    expect(alignSyllables('香港', wordsOf('a b c', 9_000), recognized)).toEqual(recognized);
  });
});

test('no syllables, no text, or text without Chinese characters', () => {
  expect(alignSyllables('香港', wordsOf('香 港'), [])).toEqual([null, null]);
  expect(alignSyllables('', [], syllablesOf('hoeng1'))).toEqual([]);
  expect(alignSyllables('OK 123，！', [], syllablesOf('hoeng1'))).toEqual([]);
  expect(alignSyllables('𠮶個', [], syllablesOf('go2 go3'))).toHaveLength(2);
  expect(alignSyllables('香', [], [{ startMs: 0, endMs: 1, alternatives: [] }])).toHaveLength(1);
});

test('any text and syllables: one entry per character, in order, no syllable twice', () => {
  const syllables = ['hoeng1', 'gong2', 'nei5', 'x', 'sik6', 'jan4', ''];
  const characters = ['香', '港', '𠮶', 'a', ' ', '，', '食', '󠄀', '你', '\ud800', '3'];
  for (let seed = 1; seed <= 300; seed += 1) {
    const pick = (list: string[], n: number) =>
      list[(Math.imul(seed * 31 + n, 2_654_435_761) >>> 8) % list.length] ?? '';
    const text = Array.from({ length: seed % 13 }, (_, n) => pick(characters, n)).join('');
    const recognized = syllablesOf(
      Array.from({ length: seed % 7 }, (_, n) => pick(syllables, n + 99)).join(' '),
      seed * 10,
    );
    const words = seed % 2 === 0 ? [] : wordsOf([...text].join(' '));
    const { indexes, isFree } = alignSyllableIndexes(text, words, recognized);
    expect(indexes).toHaveLength(hanCharacters(text).length);
    const used = indexes.filter((index) => index >= 0);
    expect(used).toEqual([...new Set(used)].toSorted((a, b) => a - b));
    expect(used.every((index) => index < recognized.length && isFree[index] === false)).toBe(true);
  }
});
