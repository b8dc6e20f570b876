import { reachOf } from './summary-tokens.ts';

/**
 * Matches sentence ends of all languages with closing punctuation; a full stop in a number or name
 * does not count.
 */
const SENTENCE_END = /(?:[。！？!?…]+|\.(?=["'”’」』）)\]]*(?:\s|$)))["'”’」』）)\]]*/gu;

/** Returns the text up to its last complete sentence; empty without one. */
export function wholeSentences(text: string): string {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) end = index + mark.length;
  return text.slice(0, end).trim();
}

/**
 * Returns the text, or its beginning with at most this many tokens as a JSON string: complete
 * sentences when the first fits, else words, else characters. Never empty for a non-empty text.
 */
export function clipText(text: string, mostTokens: number): string {
  const { end } = reachOf(text, { start: 0, end: text.length }, mostTokens);
  if (end >= text.length) return text;
  const clipped = text.slice(0, end);
  const sentences = wholeSentences(clipped);
  if (sentences !== '') return sentences;
  let at = clipped.length;
  while (at > 0 && !/\s/.test(clipped[at - 1] ?? '')) at -= 1;
  const words = clipped.slice(0, at).trim();
  return words === '' ? clipped : words;
}
