import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { openLanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import { decodeModelFile } from '#packages/engines/builtin/decoder/model-file.ts';
import { trainTrigrams } from './ngram.ts';
import { type ModelWord, encodeModel } from './write-model.ts';

const words: ModelWord[] = [
  { text: '', readings: [] },
  {
    text: 'the',
    readings: [
      { syllables: ['DH', 'AX'], probability: 0.9 },
      { syllables: ['DH', 'IY'], probability: 0.1 },
    ],
  },
  { text: "I'm", readings: [{ syllables: ['AY', 'M'], probability: 1 }] },
  { text: 'queue', readings: [{ syllables: ['K', 'Y', 'UW'], probability: 1 }] },
  { text: 'cue', readings: [{ syllables: ['K', 'Y', 'UW'], probability: 1 }] },
];
const options = { corpusShare: 0.8, discounts: [0.5, 0.8, 0.8], minimumTrigramCount: 1, priorPower: 1 } as const;
const trigrams = trainTrigrams([[0, 2, 1, 3, 0]], Float64Array.of(0, 9, 4, 2, 1), 0, options);
const model = openLanguageModel(decodeModelFile(encodeModel(words, 4, trigrams, 'a model for a test')));

/** Words of a sequence of units. */
function wordsOf(units: string): string[] {
  const { trie } = model;
  let node = 0;
  for (const unit of units.split(' ')) node = trie.child(node, model.syllableNumber(unit) ?? -1);
  if (node < 0) return [];
  const found: string[] = [];
  for (let p = trie.firstPronunciation(node); p < trie.endPronunciation(node); p++)
    found.push(model.text(trie.word(p)));
  return found;
}

test('words keep their spelling regardless of their number of units', () => {
  expect(wordsOf('DH AX')).toEqual(['the']);
  expect(wordsOf('DH IY')).toEqual(['the']);
  expect(wordsOf('AY M')).toEqual(["I'm"]);
  expect(wordsOf('DH')).toEqual([]);
  expect(model.wordCount).toBe(words.length);
});

test('homophones are sorted by descending frequency', () => {
  expect(wordsOf('K Y UW')).toEqual(['queue', 'cue']);
});

test('probabilities are exact to a twentieth of a nat', () => {
  const expectedLogp = trigrams.bigrams.get(0)?.get(2)?.next.get(1) ?? NaN;
  expect(Math.abs(model.logp(model.context(0, 2), 1) - expectedLogp)).toBeLessThanOrEqual(0.051);
  const spoken = words.map((_, word) => word).slice(1);
  for (const word of spoken) {
    expect(Math.abs(model.unigramLogp(word) - (trigrams.unigramLogp[word] ?? NaN))).toBeLessThanOrEqual(0.051);
  }
});

test('one unit per character needs no lengths, and Chinese is read as before', () => {
  const chinese: ModelWord[] = [
    { text: '', readings: [] },
    { text: '重庆', readings: [{ syllables: ['chong2', 'qing4'], probability: 1 }] },
    { text: '重', readings: [{ syllables: ['zhong4'], probability: 1 }] },
  ];
  const counts = trainTrigrams([[0, 1, 0]], Float64Array.of(0, 5, 5), 0, options);
  const file = decodeModelFile(encodeModel(chinese, 2, counts, ''));
  expect(file.numbers('pron.length')).toBeNull();
  const { trie, syllableNumber, parts } = openLanguageModel(file);
  const node = trie.child(trie.child(0, syllableNumber('chong2') ?? -1), syllableNumber('qing4') ?? -1);
  expect(parts(trie.word(trie.firstPronunciation(node)))).toEqual(['重', '庆']);
});

test('models beyond the limits of the format are refused', () => {
  const long = 'a'.repeat(256);
  const tooLong: ModelWord[] = [
    { text: '', readings: [] },
    { text: long, readings: [{ syllables: ['AH'], probability: 1 }] },
  ];
  expect(() => encodeModel(tooLong, 1, trigrams, '')).toThrow(AppError);
  expect(() => encodeModel(words, 65_537, trigrams, '')).toThrow(AppError);
});
