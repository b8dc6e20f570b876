import { readFileSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { type NamedModel, bigramNode, emptyModel } from './named-model.ts';

const MAGIC = 'Trie Language Model';
/** After the magic: the order, the numbers of n-grams and the kind. */
const HEADER_BYTES = 17;
const QUANTIZED_16_BITS = 1;
const TABLE_ENTRIES = 0x10000;
const UNIGRAM_BYTES = 12;
/** Base of Sphinx's logarithms, in nats. */
const NATS_PER_UNIT = Math.log(1.0001);

/**
 * Reads a trigram model in the binary trie format of CMU Sphinx (sphinxbase 5prealpha,
 * src/libsphinxbase/lm: ngram_model_trie.c, lm_trie.c, lm_trie_quant.c), which its own converter
 * cannot. The trie is reversed: below each word are the words that precede it. `<s>` and `</s>` are
 * separate words. Throws `invalid_request` for other formats and for files that end early.
 *
 * Layout, little-endian: magic, order (u8), numbers of n-grams (u32 each), kind of quantization
 * (u32), tables of f32 (bigram probability, bigram backoff, trigram probability), unigrams (f32
 * probability, f32 backoff, u32 first child), bigrams as packed bits (word, backoff 16, probability
 * 16, first child), trigrams as packed bits (word, probability 16), bytes of the spellings (u32),
 * spellings terminated by 0.
 */
export function readSphinxTrie(path: string): NamedModel {
  const bytes = readFileSync(path);
  let offset = MAGIC.length;
  if (bytes.toString('latin1', 0, offset) !== MAGIC || bytes[offset] !== 3) {
    throw new AppError('invalid_request', 'The file is not a CMU Sphinx trigram model.');
  }
  const requireBytes = (count: number): void => {
    if (bytes.length < count) throw new AppError('invalid_request', `${path} is cut off.`);
  };
  requireBytes(offset + HEADER_BYTES);
  const [unigrams, bigrams, trigrams, kind] = [1, 5, 9, 13].map((skip) => bytes.readUInt32LE(offset + skip));
  if (unigrams === undefined || bigrams === undefined || trigrams === undefined || kind !== QUANTIZED_16_BITS) {
    throw new AppError('invalid_request', 'Only models with 16-bit probabilities are supported.');
  }
  offset += HEADER_BYTES;
  const tablesStart = offset;
  offset += 3 * TABLE_ENTRIES * 4;
  const unigramStart = offset;
  offset += (unigrams + 1) * UNIGRAM_BYTES;
  const wordBits = bitsFor(unigrams);
  const childBits = bitsFor(trigrams);
  const bigramTable = packedTable(bytes, offset, wordBits + 32 + childBits);
  offset += packedBytes(bigrams + 1, wordBits + 32 + childBits);
  const trigramTable = packedTable(bytes, offset, wordBits + 16);
  offset += packedBytes(trigrams + 1, wordBits + 16);
  requireBytes(offset + 4);
  requireBytes(offset + 4 + bytes.readUInt32LE(offset));
  const tables = [0, 1, 2].map((index) => {
    const start = tablesStart + index * TABLE_ENTRIES * 4;
    return Float64Array.from({ length: TABLE_ENTRIES }, (_, i) => bytes.readFloatLE(start + i * 4) * NATS_PER_UNIT);
  });
  const words = bytes
    .toString('utf8', offset + 4, offset + 4 + bytes.readUInt32LE(offset))
    .split('\0')
    .slice(0, unigrams);

  const model = emptyModel(unigrams);
  const firstChild = (word: number): number => bytes.readUInt32LE(unigramStart + word * UNIGRAM_BYTES + 8);
  const [bigramLogp = [], bigramBackoff = [], trigramLogp = []] = tables;
  for (let third = 0; third < unigrams; third++) {
    const at = unigramStart + third * UNIGRAM_BYTES;
    model.unigramLogp[third] = bytes.readFloatLE(at) * NATS_PER_UNIT;
    model.unigramBackoff[third] = bytes.readFloatLE(at + 4) * NATS_PER_UNIT;
    for (let pair = firstChild(third); pair < firstChild(third + 1); pair++) {
      const second = bigramTable(pair, 0, wordBits);
      const node = bigramNode(model, second, third);
      node.backoff = bigramBackoff[bigramTable(pair, wordBits, 16)] ?? 0;
      node.logp = bigramLogp[bigramTable(pair, wordBits + 16, 16)] ?? -Infinity;
      const childrenEnd = bigramTable(pair + 1, wordBits + 32, childBits);
      for (let triple = bigramTable(pair, wordBits + 32, childBits); triple < childrenEnd; triple++) {
        const first = trigramTable(triple, 0, wordBits);
        const logp = trigramLogp[trigramTable(triple, wordBits, 16)] ?? -Infinity;
        bigramNode(model, first, second).next.set(third, logp);
      }
    }
  }
  return { words, model };
}

function bitsFor(value: number): number {
  return value.toString(2).length;
}

function packedBytes(entries: number, bits: number): number {
  return Math.floor((entries * bits + 7) / 8) + 8;
}

/** Reads `count` (≤ 32) bits from bit `skip` of an entry, least significant first. */
function packedTable(bytes: Buffer, start: number, entryBits: number) {
  return (entry: number, skip: number, count: number): number => {
    const bit = entry * entryBits + skip;
    const at = start + Math.floor(bit / 8);
    // Six bytes hold any 32 bits that begin in the first one, and a double represents six bytes
    // exactly.
    const value = bytes.readUIntLE(at, 6);
    return Math.floor(value / 2 ** (bit % 8)) % 2 ** count;
  };
}
