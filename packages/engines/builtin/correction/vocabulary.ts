import type { LanguageModel } from '#engines/builtin/decoder/language-model.ts';
import { SYLLABLE_CODES, syllableCode } from './sound-likeness.ts';

/** The language model's words by their spelling, and its syllables by their codes. */
export type Vocabulary = {
  model: LanguageModel;
  /** Returns the number of a word; undefined when the word is unknown. */
  wordOf(text: string): number | undefined;
  /** Length of the longest word, in characters. */
  longest: number;
  /**
   * Splits a text (Chinese characters) into its most probable words; `unknown` marks each character
   * outside any word.
   */
  wordsOf(characters: readonly string[]): number[];
  /** Number that stands for an unknown word in contexts. */
  unknown: number;
  /** Returns the number of a syllable in the model, by its code; −1 when no word uses it. */
  numberOf(code: number): number;
  /** Returns the code of a syllable, by the model's number. */
  codeOf(number: number): number;
};

/**
 * Length of the longest word that is looked up by its spelling; longer ones are proverbs, which the
 * search finds by their sound.
 */
const MAX_WORD_LENGTH = 7;
/** Log-probability of a character outside any word. */
const UNKNOWN_LOGP = -20;

/** Prepares a model for correction, which takes some 100 ms and 15 MB. */
export function createVocabulary(model: LanguageModel): Vocabulary {
  const words = new Map<string, number>();
  for (let word = 1; word < model.wordCount; word += 1) {
    const text = model.text(word);
    // The most frequent of the words with one spelling comes first.
    if (text.length <= MAX_WORD_LENGTH && !words.has(text)) words.set(text, word);
  }
  const codes = Int16Array.from(model.syllables, syllableCode);
  const numbers = new Int16Array(SYLLABLE_CODES).fill(-1);
  codes.forEach((code, number) => {
    if (code >= 0) numbers[code] = number;
  });
  const unknown = model.wordCount;
  return {
    model,
    unknown,
    longest: MAX_WORD_LENGTH,
    wordOf: (text) => words.get(text),
    wordsOf: (characters) => divide(characters, words, model, unknown),
    numberOf: (code) => numbers[code] ?? -1,
    codeOf: (number) => codes[number] ?? -1,
  };
}

function divide(
  characters: readonly string[],
  words: ReadonlyMap<string, number>,
  model: LanguageModel,
  unknown: number,
): number[] {
  const best: { logp: number; from: number; word: number }[] = [{ logp: 0, from: 0, word: unknown }];
  for (let to = 1; to <= characters.length; to += 1) {
    let bestWord = { logp: (best[to - 1]?.logp ?? 0) + UNKNOWN_LOGP, from: to - 1, word: unknown };
    for (let from = Math.max(0, to - MAX_WORD_LENGTH); from < to; from += 1) {
      const word = words.get(characters.slice(from, to).join(''));
      if (word === undefined) continue;
      const logp = (best[from]?.logp ?? 0) + model.unigramLogp(word);
      if (logp > bestWord.logp) bestWord = { logp, from, word };
    }
    best.push(bestWord);
  }
  const divided: number[] = [];
  for (let to = characters.length; to > 0; to = best[to]?.from ?? 0) divided.unshift(best[to]?.word ?? unknown);
  return divided;
}
