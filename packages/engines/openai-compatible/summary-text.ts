import { reachOf } from './summary-tokens.ts';

/** What ends a sentence in any of the languages, with what closes after it; a full stop in a number or a name ends nothing. */
const SENTENCE_END = /(?:[。！？!?…]+|\.(?=["'”’」』）)\]]*(?:\s|$)))["'”’」』）)\]]*/gu;

/** The text up to its last whole sentence; empty when there is none. */
export function wholeSentences(text: string): string {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) end = index + mark.length;
  return text.slice(0, end).trim();
}

/**
 * The text, or as much of its beginning as has at most so many tokens as a JSON string: whole sentences where the first fits, otherwise
 * words, otherwise characters. A text that is not empty never becomes empty.
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
