import { statSync } from 'node:fs';
import type { ModelFile, NumberArray } from './model-file.ts';
import { readModelFile } from './model-file.ts';
import { buildTrie, type PronunciationTrie } from './pronunciation-trie.ts';

/**
 * Sections of the model file (V words, N of them with n-grams, P pronunciations, B bigrams, T
 * trigrams). A unit is one element of a pronunciation: a written syllable with tone (Cantonese,
 * Mandarin) or a phone (English). For type "any" the writer uses the narrowest of u8, u16, u32.
 *
 * | name            | type | length | meaning                                                     |
 * | --------------- | ---- | ------ | ----------------------------------------------------------- |
 * | word.length     | u8   | V      | characters of each word                                     |
 * | word.characters | any  | Σ      | their numbers, word after word                              |
 * | word.logp       | u8   | V      | unigram probability (−logStep × value)                      |
 * | word.backoff    | u8   | N      | weight of the unigram after this word                       |
 * | pron.word       | any  | P      | word of each pronunciation, sorted by units, prefixes first |
 * | pron.logp       | u8   | P      | probability of this reading of the word                     |
 * | pron.length     | u8   | P      | units of each pronunciation; absent when one per character  |
 * | pron.syllables  | any  | Σ      | unit numbers, pronunciation after pronunciation             |
 * | bigram.count    | any  | N      | bigrams that begin with each word                           |
 * | bigram.next     | any  | B      | second word, ascending within the first                     |
 * | bigram.logp     | u8   | B      | probability of the second word                              |
 * | bigram.backoff  | u8   | B      | weight of the bigram after this pair                        |
 * | trigram.count   | any  | B      | trigrams that begin with each pair                          |
 * | trigram.next    | any  | T      | third word, ascending                                       |
 * | trigram.logp    | u8   | T      | its probability                                             |
 *
 * Word 0 is the boundary of an utterance: no characters, no pronunciation. Words are ordered so
 * that those with n-grams come first (N ≤ 65,536).
 */
export type LanguageModel = {
  /** Units of pronunciation by number: written syllables, or phones. */
  syllables: readonly string[];
  /** Returns the number of a unit; undefined when no word uses it. */
  syllableNumber(text: string): number | undefined;
  trie: PronunciationTrie;
  /**
   * Returns the parts of a word that have times of their own: the characters of a Chinese word,
   * which are syllables, or a word of letters as a whole.
   */
  parts(word: number): string[];
  /** Returns true for a word of letters, or with some. */
  hasLetters(word: number): boolean;
  /** Returns the spelling of a word. */
  text(word: number): string;
  /** Number of words, including the boundary. */
  wordCount: number;
  /** Returns the natural logarithm of a word's probability without context. */
  unigramLogp(word: number): number;
  /** Returns the natural logarithm of the probability of a reading, by pronunciation number. */
  readingLogp(pronunciation: number): number;
  /** Returns the state after `second`, when `first` stood before it. */
  context(first: number, second: number): NgramContext;
  /** Returns the natural logarithm of a word's probability in a context. */
  logp(context: NgramContext, word: number): number;
};

/** Rows of the n-gram tables for a pair of words, looked up once for many next words. */
export type NgramContext = {
  bigramStart: number;
  bigramEnd: number;
  bigramBackoff: number;
  trigramStart: number;
  trigramEnd: number;
  trigramBackoff: number;
};

/** Number of the word that stands for the boundary of an utterance. */
export const BOUNDARY_WORD = 0;

const LETTER = /\p{Script=Latin}/u;

/** Models in use by path, size and time of the file. */
const loaded = new Map<string, WeakRef<LanguageModel>>();

/**
 * Loads `language-model.bin`, once for all who use it at a time. Throws `engine_unavailable` when
 * it is missing, damaged or of another version.
 */
export function loadLanguageModel(path: string): LanguageModel {
  const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const key = `${path} ${size} ${mtimeMs}`;
  const model = loaded.get(key)?.deref() ?? openLanguageModel(readModelFile(path));
  loaded.set(key, new WeakRef(model));
  return model;
}

/** A language model over an opened file. */
export function openLanguageModel(file: ModelFile): LanguageModel {
  const { syllables, logStep } = file.header;
  const alphabet = [...file.header.characters];
  const wordLength = file.section('word.length', 'u8');
  const wordCharacters = wide16(file, 'word.characters');
  const wordStart = runningStarts(wordLength);
  const wordLogp = logarithms(file.section('word.logp', 'u8'), logStep);
  const wordBackoff = logarithms(file.section('word.backoff', 'u8'), logStep);
  const readingLogp = logarithms(file.section('pron.logp', 'u8'), logStep);
  const bigramStart = runningStarts(wide16(file, 'bigram.count'));
  const bigramNext = wide16(file, 'bigram.next');
  const bigramLogp = logarithms(file.section('bigram.logp', 'u8'), logStep);
  const bigramBackoff = logarithms(file.section('bigram.backoff', 'u8'), logStep);
  const trigramStart = runningStarts(wide16(file, 'trigram.count'));
  const trigramNext = wide16(file, 'trigram.next');
  const trigramLogp = logarithms(file.section('trigram.logp', 'u8'), logStep);
  const pronWord = new Uint32Array(stored(file, 'pron.word'));
  const pronLength = file.numbers('pron.length') ?? Uint8Array.from(pronWord, (word) => wordLength[word] ?? 0);
  const trie = buildTrie(wide16(file, 'pron.syllables'), pronWord, pronLength);
  const numbers = new Map(syllables.map((syllable, number) => [syllable, number]));
  const ngramWords = wordBackoff.length;

  const spelling = (word: number): string[] => {
    const start = wordStart[word] ?? 0;
    const chars: string[] = [];
    for (const number of wordCharacters.subarray(start, start + (wordLength[word] ?? 0))) {
      chars.push(alphabet[number] ?? '');
    }
    return chars;
  };

  const hasLetters = (word: number): boolean => spelling(word).some((char) => LETTER.test(char));

  return {
    syllables,
    syllableNumber: (text) => numbers.get(text),
    trie,
    hasLetters,
    parts: (word) => (hasLetters(word) ? [spelling(word).join('')] : spelling(word)),
    text: (word) => spelling(word).join(''),
    wordCount: wordLength.length,
    unigramLogp: (word) => wordLogp[word] ?? -Infinity,
    readingLogp: (pronunciation) => readingLogp[pronunciation] ?? -Infinity,
    context(first, second) {
      const hasNgrams = second < ngramWords;
      const context: NgramContext = {
        bigramStart: hasNgrams ? (bigramStart[second] ?? 0) : 0,
        bigramEnd: hasNgrams ? (bigramStart[second + 1] ?? 0) : 0,
        bigramBackoff: hasNgrams ? (wordBackoff[second] ?? 0) : 0,
        trigramStart: 0,
        trigramEnd: 0,
        trigramBackoff: 0,
      };
      if (!hasNgrams || first >= ngramWords) return context;
      const pair = find(bigramNext, bigramStart[first] ?? 0, bigramStart[first + 1] ?? 0, second);
      if (pair >= 0) {
        context.trigramStart = trigramStart[pair] ?? 0;
        context.trigramEnd = trigramStart[pair + 1] ?? 0;
        context.trigramBackoff = bigramBackoff[pair] ?? 0;
      }
      return context;
    },
    logp(context, word) {
      if (context.trigramEnd > context.trigramStart) {
        const triple = find(trigramNext, context.trigramStart, context.trigramEnd, word);
        if (triple >= 0) return trigramLogp[triple] ?? 0;
      }
      const pair = find(bigramNext, context.bigramStart, context.bigramEnd, word);
      if (pair >= 0) return context.trigramBackoff + (bigramLogp[pair] ?? 0);
      return context.trigramBackoff + context.bigramBackoff + (wordLogp[word] ?? -Infinity);
    },
  };
}

/**
 * Reads a section that every file has, in the width in which it was written. Throws
 * `engine_unavailable`.
 */
function stored(file: ModelFile, name: string): NumberArray {
  // Asking for the section in one width throws the error of a damaged file when it is missing.
  return file.numbers(name) ?? file.section(name, 'u8');
}

/**
 * Reads a section as 16-bit numbers in all models, so that the search is compiled for one kind of
 * array.
 */
function wide16(file: ModelFile, name: string): Uint16Array {
  const numbers = stored(file, name);
  return numbers instanceof Uint16Array ? numbers : new Uint16Array(numbers);
}

/** Returns the place of a value in an ascending stretch of a table, or −1. */
function find(table: Uint16Array, start: number, end: number, value: number): number {
  let low = start;
  let high = end - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const current = table[middle] ?? 0;
    if (current === value) return middle;
    if (current < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Computes the start of each run from the lengths of consecutive runs, and the end of the last. */
function runningStarts(lengths: Uint8Array | Uint16Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}

function logarithms(codes: Uint8Array, logStep: number): Float32Array {
  const values = new Float32Array(codes.length);
  // Use a plain loop: Float32Array.from uses an iterator and would dominate the loading time.
  for (let i = 0; i < codes.length; i++) values[i] = -(codes[i] ?? 0) * logStep;
  return values;
}
