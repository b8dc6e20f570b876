import type { ModelFile } from './model-file.ts';
import { readModelFile } from './model-file.ts';
import { buildTrie, type PronunciationTrie } from './pronunciation-trie.ts';

/**
 * Sections of the model file (V words, N of them with n-grams, P pronunciations, B bigrams):
 *
 * | name             | type | length | meaning                                                               |
 * |------------------|------|--------|-----------------------------------------------------------------------|
 * | word.length      | u8   | V      | characters of each word                                               |
 * | word.characters  | u16  | Σ      | their numbers, word after word                                        |
 * | word.logp        | u8   | V      | unigram probability (−logStep × value)                                |
 * | word.backoff     | u8   | N      | weight of the unigram after this word                                 |
 * | pron.word        | u32  | P      | word of each pronunciation, sorted by syllable numbers, prefixes first |
 * | pron.logp        | u8   | P      | probability of this reading of the word                               |
 * | pron.syllables   | u16  | Σ      | syllable numbers, one a character                                     |
 * | bigram.count     | u16  | N      | bigrams that begin with each word                                     |
 * | bigram.next      | u16  | B      | second word, ascending within the first                               |
 * | bigram.logp      | u8   | B      | probability of the second word                                        |
 * | bigram.backoff   | u8   | B      | weight of the bigram after this pair                                  |
 * | trigram.count    | u16  | B      | trigrams that begin with each pair                                    |
 * | trigram.next     | u16  | T      | third word, ascending                                                 |
 * | trigram.logp     | u8   | T      | its probability                                                       |
 *
 * Word 0 is the boundary of an utterance. Words are ordered so that those with n-grams come first (N ≤ 65,536).
 */
export type LanguageModel = {
  /** Written syllables by number. */
  syllables: readonly string[];
  /** Number of a written syllable; undefined when no word uses it. */
  syllableNumber(text: string): number | undefined;
  trie: PronunciationTrie;
  /** Characters of a word. */
  characters(word: number): string[];
  /** Natural logarithm of a word's probability on its own. */
  unigramLogp(word: number): number;
  /** Natural logarithm of the probability of a reading, by pronunciation number. */
  readingLogp(pronunciation: number): number;
  /** The state after `second`, when `first` stood before it. */
  context(first: number, second: number): NgramContext;
  /** Natural logarithm of a word's probability in a context. */
  logp(context: NgramContext, word: number): number;
};

/** Rows of the n-gram tables that a pair of words opens, looked up once for many next words. */
export type NgramContext = {
  bigramStart: number;
  bigramEnd: number;
  bigramBackoff: number;
  trigramStart: number;
  trigramEnd: number;
  trigramBackoff: number;
};

/** The boundary of an utterance. */
export const BOUNDARY_WORD = 0;

/** Loads `language-model.bin`. Throws `engine_unavailable` when it is missing, damaged or of another version. */
export function loadLanguageModel(path: string): LanguageModel {
  return openLanguageModel(readModelFile(path));
}

/** A language model over an opened file. */
export function openLanguageModel(file: ModelFile): LanguageModel {
  const { syllables, logStep } = file.header;
  const alphabet = [...file.header.characters];
  const wordLength = file.section('word.length', 'u8');
  const wordCharacters = file.section('word.characters', 'u16');
  const wordStart = runningStarts(wordLength);
  const wordLogp = logarithms(file.section('word.logp', 'u8'), logStep);
  const wordBackoff = logarithms(file.section('word.backoff', 'u8'), logStep);
  const readingLogp = logarithms(file.section('pron.logp', 'u8'), logStep);
  const bigramStart = runningStarts(file.section('bigram.count', 'u16'));
  const bigramNext = file.section('bigram.next', 'u16');
  const bigramLogp = logarithms(file.section('bigram.logp', 'u8'), logStep);
  const bigramBackoff = logarithms(file.section('bigram.backoff', 'u8'), logStep);
  const trigramStart = runningStarts(file.section('trigram.count', 'u16'));
  const trigramNext = file.section('trigram.next', 'u16');
  const trigramLogp = logarithms(file.section('trigram.logp', 'u8'), logStep);
  const trie = buildTrie(file.section('pron.syllables', 'u16'), file.section('pron.word', 'u32'), wordLength);
  const numbers = new Map(syllables.map((syllable, number) => [syllable, number]));
  const ngramWords = wordBackoff.length;

  return {
    syllables,
    syllableNumber: (text) => numbers.get(text),
    trie,
    characters(word) {
      const start = wordStart[word] ?? 0;
      const chars: string[] = [];
      for (const number of wordCharacters.subarray(start, start + (wordLength[word] ?? 0))) {
        chars.push(alphabet[number] ?? '');
      }
      return chars;
    },
    unigramLogp: (word) => wordLogp[word] ?? -Infinity,
    readingLogp: (pronunciation) => readingLogp[pronunciation] ?? -Infinity,
    context(first, second) {
      const known = second < ngramWords;
      const context: NgramContext = {
        bigramStart: known ? (bigramStart[second] ?? 0) : 0,
        bigramEnd: known ? (bigramStart[second + 1] ?? 0) : 0,
        bigramBackoff: known ? (wordBackoff[second] ?? 0) : 0,
        trigramStart: 0,
        trigramEnd: 0,
        trigramBackoff: 0,
      };
      if (!known || first >= ngramWords) return context;
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

/** Place of a value in an ascending stretch of a table, or −1. */
function find(table: Uint16Array, start: number, end: number, value: number): number {
  let low = start;
  let high = end - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = table[middle] ?? 0;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Start of each run when runs of these lengths lie one after the other; one entry more than runs. */
function runningStarts(lengths: Uint8Array | Uint16Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}

function logarithms(codes: Uint8Array, logStep: number): Float32Array {
  const values = new Float32Array(codes.length);
  // A loop: Float32Array.from goes through an iterator and would take most of the loading time.
  for (let i = 0; i < codes.length; i++) values[i] = -(codes[i] ?? 0) * logStep;
  return values;
}
