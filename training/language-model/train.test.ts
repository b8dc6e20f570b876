import { expect, test } from 'vitest';
import { BOUNDARY_WORD, openLanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import { decodeModelFile } from '#packages/engines/builtin/decoder/model-file.ts';
import { certainLattice } from '#packages/engines/builtin/decoder/syllable-lattice.ts';
import { DECODER_WEIGHTS } from '#packages/engines/builtin/decoder/weights.ts';
import { searchWords } from '#packages/engines/builtin/decoder/word-search.ts';
import { type Sentence, foldOf } from './corpora.ts';
import { TRAINING_OPTIONS, trainModel } from './train.ts';

const sentence = (words: string, jyutping: string): Sentence => ({
  source: 'hkcancor',
  pieces: words.split(' '),
  syllables: jyutping.split(' '),
  fold: 2,
});
const entry = (word: string, jyutping: string, share = 1) => ({ word, syllables: jyutping.split(' '), share });

const bytes = trainModel(
  {
    sentences: [
      sentence('食 飯', 'sik6 faan6'),
      sentence('食 飯', 'sik6 faan6'),
      sentence('犯 法', 'faan6 faat3'),
      sentence('我 食 飯', 'ngo5 sik6 faan6'),
    ],
    lexicon: [
      entry('食', 'sik6'),
      entry('飯', 'faan6'),
      entry('犯', 'faan6'),
      entry('法', 'faat3'),
      entry('銀行', 'ngan4 hong4'),
    ],
    counts: new Map([
      ['犯', 900_000],
      ['飯', 100_000],
      ['我', 500_000],
      ['我食', 60_000],
    ]),
    foreign: [
      { text: 'lunch', priorCount: 50_000, readings: [{ syllables: ['lan1', 'cyun4'], probability: 1 }] },
      { text: 'OK', priorCount: 50_000, readings: [{ syllables: ['ou1', 'kei1'], probability: 1 }] },
    ],
  },
  TRAINING_OPTIONS,
  'a model for a test',
);
const model = openLanguageModel(decodeModelFile(bytes));
const decode = (jyutping: string): string => {
  const numbers = jyutping.split(' ').map((syllable) => model.syllableNumber(syllable) ?? -1);
  const words = searchWords(certainLattice(numbers), model, DECODER_WEIGHTS);
  return words.flatMap(({ word }) => model.parts(word)).join('');
};

test('a trained model prefers a seen word to the likelier single character', () => {
  expect(decode('ngo5 sik6 faan6')).toBe('我食飯');
  expect(decode('faan6 faat3')).toBe('犯法');
});

test('words only in the lexicon are found', () => {
  expect(decode('ngan4 hong4')).toBe('銀行');
});

test('a word of letters is one part, whatever its syllables', () => {
  const numbers = 'ngo5 sik6 lan1 cyun4 ou1 kei1'.split(' ').map((syllable) => model.syllableNumber(syllable) ?? -1);
  const words = searchWords(certainLattice(numbers), model, DECODER_WEIGHTS);
  expect(words.flatMap(({ word }) => model.parts(word))).toEqual(['我', '食', 'lunch', 'OK']);
  expect(words.slice(-2).map(({ arcs }) => arcs.length)).toEqual([2, 2]);
});

test('a seen word is likelier in its context than elsewhere', () => {
  const [eat, rice] = [findWord('食'), findWord('飯')];
  const after = model.logp(model.context(BOUNDARY_WORD, eat), rice);
  expect(after).toBeGreaterThan(model.unigramLogp(rice));
  expect(after).toBeLessThanOrEqual(0);
});

test('the fold is that of the sentence without spaces', () => {
  expect(foldOf('食 飯')).toBe(foldOf('食飯'));
  expect(foldOf('食飯')).not.toBe(foldOf('食飯啦'));
});

function findWord(text: string): number {
  for (let word = 1; word < 20; word++) if (model.parts(word).join('') === text) return word;
  return -1;
}
