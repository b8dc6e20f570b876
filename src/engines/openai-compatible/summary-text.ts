import { jsonTokens } from './summary-tokens.ts';

/** What ends a sentence in any of the languages, with what closes after it; a full stop in a number or a name ends nothing. */
const SENTENCE_END = /(?:[。！？!?…]+|\.+(?=["'”’」』）)\]]*(?:\s|$)))["'”’」』）)\]]*/gu;

/** The text up to its last whole sentence; empty when there is none. */
export function wholeSentences(text: string): string {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) end = index + mark.length;
  return text.slice(0, end).trim();
}

/**
 * The text, or as much of its beginning as has at most so many tokens as a JSON string: whole sentences where the first fits, otherwise words, otherwise
 * characters. It always has at most so many tokens, but a text that is not empty never becomes empty.
 */
export function clipText(text: string, mostTokens: number): string {
  if (jsonTokens(text) <= mostTokens) return text;
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonTokens(text.slice(0, middle)) <= mostTokens) low = middle;
    else high = middle - 1;
  }
  const clipped = text
    .slice(0, low)
    .toWellFormed()
    .replace(/\ufffd$/u, '');
  const sentences = wholeSentences(clipped);
  if (sentences !== '') return sentences;
  const words = clipped.replace(/\s+\S*$/u, '').trim();
  return words === '' ? clipped : words;
}
