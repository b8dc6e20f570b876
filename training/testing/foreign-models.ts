/** A small trigram model with plain probabilities; words are numbered by their position. */
export type MadeUpTrigrams = {
  words: readonly string[];
  unigrams: readonly (readonly [probability: number, backoff: number])[];
  bigrams: readonly (readonly [first: number, second: number, probability: number, backoff: number])[];
  trigrams: readonly (readonly [first: number, second: number, third: number, probability: number])[];
};

const TABLE_ENTRIES = 0x10000;
type Bits = [value: number, bits: number];

/** The binary trie of sphinxbase, which sphinx-trie.ts describes. */
export function sphinxTrie({ words, unigrams, bigrams, trigrams }: MadeUpTrigrams): Buffer {
  const head = Buffer.alloc(17);
  head.writeUInt8(3, 0);
  for (const [index, value] of [words.length, bigrams.length, trigrams.length, 1].entries()) {
    head.writeUInt32LE(value, 1 + 4 * index);
  }
  const tables = Array.from({ length: 3 }, () => Buffer.alloc(TABLE_ENTRIES * 4));
  const used = [0, 0, 0];
  /** Number of a probability in its table. */
  const quantized = (table: number, probability: number): number => {
    const entry = (used[table]! += 1);
    tables[table]!.writeFloatLE(units(probability), 4 * entry);
    return entry;
  };
  const [wordBits, childBits] = [words.length, trigrams.length].map((value) => value.toString(2).length) as [
    number,
    number,
  ];
  // Below each word are the words before it, in the order of their numbers.
  const pairs = bigrams.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
  const heads = Buffer.alloc(12 * (words.length + 1));
  const [pairEntries, tripleEntries]: [Bits[][], Bits[][]] = [[], []];
  for (const [third, [probability, backoff]] of unigrams.entries()) {
    heads.writeFloatLE(units(probability), 12 * third);
    heads.writeFloatLE(units(backoff), 12 * third + 4);
    heads.writeUInt32LE(pairEntries.length, 12 * third + 8);
    for (const [second, , pairProbability, pairBackoff] of pairs.filter((pair) => pair[1] === third)) {
      pairEntries.push([
        [second, wordBits],
        [quantized(1, pairBackoff), 16],
        [quantized(0, pairProbability), 16],
        [tripleEntries.length, childBits],
      ]);
      const below = trigrams.filter((triple) => triple[1] === second && triple[2] === third);
      for (const [first, , , tripleProbability] of below.toSorted((a, b) => a[0] - b[0])) {
        tripleEntries.push([
          [first, wordBits],
          [quantized(2, tripleProbability), 16],
        ]);
      }
    }
  }
  heads.writeUInt32LE(pairEntries.length, 12 * words.length + 8);
  pairEntries.push([
    [0, wordBits],
    [0, 32],
    [tripleEntries.length, childBits],
  ]);
  tripleEntries.push([[0, wordBits + 16]]);
  const spellings = Buffer.from(words.map((word) => `${word}\0`).join(''));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(spellings.length);
  const magic = Buffer.from('Trie Language Model', 'latin1');
  return Buffer.concat([magic, head, ...tables, heads, packed(pairEntries), packed(tripleEntries), size, spellings]);
}

/** Steps of Sphinx's logarithms. */
const units = (probability: number): number => Math.log(probability) / Math.log(1.0001);

/** Packs bits, least significant first, as sphinxbase does. */
function packed(entries: readonly Bits[][]): Buffer {
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

function openGramLines(order: number, rows: readonly (readonly number[])[]): string[] {
  const line = (row: readonly number[]) =>
    row.map((value, at) => (at < order ? String(value).padStart(9) : `   ${value.toFixed(12)}`)).join(' ');
  return [`\\${order}-gram\\${rows.length}`, ...rows.map((row) => `${line(row)} (0,0)`)];
}

/** Writes a model of sunpinyin in the format of `tslminfo -v -p`. */
export function openGramText({ unigrams, bigrams, trigrams }: MadeUpTrigrams): string {
  return [
    ...openGramLines(0, [[0.000005, 0.0000001]]),
    ...openGramLines(
      1,
      unigrams.map((row, word) => [word, ...row]),
    ),
    ...openGramLines(2, bigrams),
    ...openGramLines(3, trigrams),
    '',
  ].join('\n');
}

/** The words of sunpinyin's dictionary: their number, then where their UTF-32 spellings begin. */
export function openGramDictionary(words: readonly string[]): Buffer {
  const codes = words.flatMap((word) => [...Array.from(word, (char) => char.codePointAt(0)!), 0]);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(words.length, 0);
  header.writeUInt32LE(header.length, 8);
  const spellings = Buffer.alloc(4 * codes.length);
  for (const [index, code] of codes.entries()) spellings.writeUInt32LE(code, 4 * index);
  return Buffer.concat([header, spellings]);
}
