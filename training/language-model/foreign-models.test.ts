import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { trigramLogp } from './named-model.ts';
import { bigramLogp } from './ngram.ts';
import { readOpenGram } from './open-gram.ts';
import { readSphinxTrie } from './sphinx-trie.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreign-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Packs bits, least significant first, as sphinxbase does. */
function packed(entries: [value: number, bits: number][][]): Buffer {
  let all = 0n;
  let length = 0n;
  for (const [value, bits] of entries.flat()) {
    all |= BigInt(value) << length;
    length += BigInt(bits);
  }
  const bytes = Buffer.alloc(Math.floor((Number(length) + 7) / 8) + 8);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number((all >> BigInt(8 * i)) & 255n);
  return bytes;
}

const units = (probability: number): number => Math.log(probability) / Math.log(1.0001);

/**
 * "a b" has 0.5, "a b a" 0.25; both words 0.5 as unigrams; two bits per word, one bit per trigram
 * index.
 */
function sphinxFile(): Buffer {
  const head = Buffer.alloc(17);
  head.writeUInt8(3, 0);
  for (const [index, value] of [2, 1, 1, 1].entries()) head.writeUInt32LE(value, 1 + 4 * index);
  const tables = Buffer.alloc(3 * 0x10000 * 4);
  tables.writeFloatLE(units(0.5), 4 * 7);
  tables.writeFloatLE(units(0.125), 4 * (0x10000 + 9));
  tables.writeFloatLE(units(0.25), 4 * (2 * 0x10000 + 11));
  const unigrams = Buffer.alloc(36);
  for (const [word, child] of [0, 0, 1].entries()) {
    unigrams.writeFloatLE(units(0.5), word * 12);
    unigrams.writeUInt32LE(child, word * 12 + 8);
  }
  // Bigrams below b: the preceding word a. The trigram "b a b" is below that pair.
  const pair: [number, number][] = [
    [0, 2],
    [9, 16],
    [7, 16],
    [0, 1],
  ];
  const end: [number, number][] = [
    [0, 2],
    [0, 32],
    [1, 1],
  ];
  const triple: [number, number][] = [
    [1, 2],
    [11, 16],
  ];
  const words = Buffer.from('\u0004\0\0\0a\0b\0', 'latin1');
  return Buffer.concat([
    Buffer.from('Trie Language Model', 'latin1'),
    head,
    tables,
    unigrams,
    packed([pair, end]),
    packed([triple, [[0, 18]]]),
    words,
  ]);
}

test('a CMU Sphinx trie is read with words in forward order', () => {
  const path = join(folder, 'model.lm.bin');
  writeFileSync(path, sphinxFile());
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

test('open-gram is read from the output of its tool and the spellings of its dictionary', async () => {
  const text = join(folder, 'open-gram.txt');
  writeFileSync(
    text,
    [
      '\\0-gram\\1',
      '  0.000005   0.0000001 (0,0)',
      '\\1-gram\\2',
      '        0   0.25   1.5 (0,0)',
      '        1   0.75   0.5 (0,0)',
      '\\2-gram\\1',
      '        0         1   0.125   0.75 (1,1)',
      '\\3-gram\\1',
      '        0         1         1   0.0625 (1,1)',
      '',
    ].join('\n'),
  );
  const dictionary = join(folder, 'dictionary.bin');
  const spellings = Buffer.alloc(4 * 6);
  for (const [index, code] of [0x597d, 0, 0x4f60, 0x597d, 0, 0].entries()) spellings.writeUInt32LE(code, 4 * index);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(16, 8);
  writeFileSync(dictionary, Buffer.concat([header, spellings]));
  const { words, model } = await readOpenGram(text, dictionary);
  expect(words.slice(0, 2)).toEqual(['好', '你好']);
  expect(Math.exp(model.unigramBackoff[0] ?? 0)).toBeCloseTo(1.5, 9);
  expect(Math.exp(bigramLogp(model, 0, 1))).toBeCloseTo(0.125, 9);
  expect(Math.exp(trigramLogp(model, 0, 1, 1))).toBeCloseTo(0.0625, 9);
});
