import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { trigramLogp } from './named-model.ts';
import { bigramLogp } from './ngram.ts';
import { readOpenGram } from './open-gram.ts';
import { readSphinxTrie } from './sphinx-trie.ts';
import { openGramDictionary, openGramText, sphinxTrie } from '../testing/foreign-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreign-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** "a b" has 0.5, "b a b" 0.25; both words 0.5 as unigrams. */
const SPHINX = sphinxTrie({
  words: ['a', 'b'],
  unigrams: [
    [0.5, 1],
    [0.5, 1],
  ],
  bigrams: [[0, 1, 0.5, 0.125]],
  trigrams: [[1, 0, 1, 0.25]],
});

const OPEN_GRAM = {
  words: ['好', '你好'],
  unigrams: [
    [0.25, 1.5],
    [0.75, 0.5],
  ],
  bigrams: [[0, 1, 0.125, 0.75]],
  trigrams: [[0, 1, 1, 0.0625]],
} as const;

test('a CMU Sphinx trie is read with words in forward order', () => {
  const path = join(folder, 'model.lm.bin');
  writeFileSync(path, SPHINX);
  const { words, model } = readSphinxTrie(path);
  expect(words).toEqual(['a', 'b']);
  expect(Math.exp(model.unigramLogp[1] ?? 0)).toBeCloseTo(0.5, 3);
  expect(Math.exp(bigramLogp(model, 0, 1))).toBeCloseTo(0.5, 3);
  expect(Math.exp(model.bigrams.get(0)?.get(1)?.backoff ?? 0)).toBeCloseTo(0.125, 3);
  expect(Math.exp(trigramLogp(model, 1, 0, 1))).toBeCloseTo(0.25, 3);
});

test('a file that is no CMU Sphinx trie is refused', () => {
  const path = join(folder, 'other.bin');
  writeFileSync(path, 'ngram 1=2');
  expect(() => readSphinxTrie(path)).toThrow('not a CMU Sphinx trigram model');
});

test('a CMU Sphinx trie that is cut off is refused, wherever it ends', () => {
  const path = join(folder, 'cut.lm.bin');
  for (const missing of [1, 3, 8, 20, 60, 1_000, SPHINX.length - 25]) {
    writeFileSync(path, SPHINX.subarray(0, -missing));
    expect(() => readSphinxTrie(path)).toThrow(`${path} is cut off`);
  }
});

test('open-gram is read from the output of its tool and the spellings of its dictionary', async () => {
  const text = join(folder, 'open-gram.txt');
  writeFileSync(text, openGramText(OPEN_GRAM));
  const dictionary = join(folder, 'dictionary.bin');
  writeFileSync(dictionary, openGramDictionary(OPEN_GRAM.words));
  const { words, model } = await readOpenGram(text, dictionary);
  expect(words).toEqual(['好', '你好']);
  expect(Math.exp(model.unigramBackoff[0] ?? 0)).toBeCloseTo(1.5, 9);
  expect(Math.exp(bigramLogp(model, 0, 1))).toBeCloseTo(0.125, 9);
  expect(Math.exp(trigramLogp(model, 0, 1, 1))).toBeCloseTo(0.0625, 9);
});

test('open-gram that is cut off is refused, wherever it ends', async () => {
  const [text, dictionary] = [join(folder, 'cut.txt'), join(folder, 'whole.bin')];
  writeFileSync(dictionary, openGramDictionary(OPEN_GRAM.words));
  const whole = openGramText(OPEN_GRAM);
  // The last line lacks nothing without its end.
  for (let end = 0; end < whole.length - 1; end += 1) {
    writeFileSync(text, whole.slice(0, end));
    await expect(readOpenGram(text, dictionary)).rejects.toThrow(`${text} is cut off`);
  }
  writeFileSync(text, whole);
  const words = openGramDictionary(OPEN_GRAM.words);
  for (const missing of [1, 4, 8, 16]) {
    writeFileSync(dictionary, words.subarray(0, -missing));
    await expect(readOpenGram(text, dictionary)).rejects.toThrow(`${dictionary} is cut off`);
  }
});
