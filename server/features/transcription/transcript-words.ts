import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { segmentWords } from '@jyutsing/text/segment-words';

/**
 * One word of a segment: one or several timed characters in Chinese, else one timed unit. `text`
 * is as in the segment.
 */
export type TimedWord = { text: string; units: Word[] };

/**
 * The words of a segment from its timed units (Chinese characters, English words), cut by a word
 * segmenter. Every unit is in exactly one word, in order; punctuation is in none. Empty when the
 * engine times only segments.
 */
export function wordsOf({ text, words: units }: Segment): TimedWord[] {
  if (units.length === 0) return [];
  const starts = wordStarts(text);
  const words: TimedWord[] = [];
  let at = 0;
  let lastStart = -1;
  for (const unit of units) {
    const found = text.indexOf(unit.text, at);
    // A unit that the text does not contain becomes a word of its own, so none is lost.
    const start = found < 0 || unit.text === '' ? null : (starts[found] ?? found);
    const word = words.at(-1);
    if (word !== undefined && start !== null && start === lastStart) {
      word.units.push(unit);
      word.text = text.slice(start, found + unit.text.length);
    } else words.push({ text: unit.text, units: [unit] });
    if (start === null) {
      lastStart = -1;
      continue;
    }
    at = found + unit.text.length;
    lastStart = start;
  }
  return words;
}

/** For every index of a text, the start of its word. */
function wordStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { index, segment } of segmentWords(text)) {
    for (let offset = 0; offset < segment.length; offset += 1) starts.push(index);
  }
  return starts;
}
