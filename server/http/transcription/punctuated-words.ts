import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { splitIntoUnits } from '@jyutsing/text/join-words';

/** Marks after a word, up to a space or a mark that opens what follows. */
const CLOSING_MARKS = /^[^\s\p{L}\p{N}\p{Ps}\p{Pi}]*/u;
/** Marks before a word that belong to it. */
const OPENING_MARKS = /[\p{Ps}\p{Pi}]*$/u;

/**
 * The words of a text as they stand in it, with the marks beside them; a word that is not in the
 * text, because a correction changed it, stays as it is.
 */
export function punctuatedWords(text: string, words: readonly string[]): string[] {
  let from = 0;
  return words.map((word) => {
    const at = word === '' ? -1 : text.indexOf(word, from);
    if (at < 0) return word;
    const opening = OPENING_MARKS.exec(text.slice(from, at))?.[0] ?? '';
    const closing = CLOSING_MARKS.exec(text.slice(at + word.length))?.[0] ?? '';
    from = at + word.length + closing.length;
    return `${opening}${word}${closing}`;
  });
}

/** The words of a segment with the marks beside them; those of no model share its time. */
export function markedWords(segment: Segment): Word[] {
  const words = segment.words.length > 0 ? segment.words : splitIntoUnits({ ...segment, reading: null });
  const spelled = words.map(({ text }) => text);
  const marked = punctuatedWords(segment.text, spelled);
  return words.map((word, index) => ({ ...word, text: marked[index] ?? word.text }));
}
