import { segmentWords } from '#text/segment-words.ts';
import type { Token } from './tokens.ts';

/** The words of tokens that still exist: the text is split first, and read piece by piece later. */
const segmented = new WeakMap<Token, readonly string[]>();

/** The words of a token of Chinese characters; together they are its text. */
export function wordsOfToken(token: Token): readonly string[] {
  const found = segmented.get(token);
  if (found !== undefined) return found;
  const words: string[] = [];
  for (const { segment } of segmentWords(token.text)) words.push(segment);
  segmented.set(token, words);
  return words;
}
