import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { segmentWords } from '@jyutsing/text/segment-words';

/** One word of a segment: in Chinese of one or several timed characters, else one timed unit. `text` is as in the segment. */
export type TimedWord = { text: string; units: Word[] };

/**
 * The words of a segment from its timed units (characters of Chinese, words of English), parted where a reader would part them. Every
 * unit is in exactly one word, in order; punctuation is in none. Empty where the engine times segments only.
 */
export function wordsOf({ text, words: units }: Segment): TimedWord[] {
  if (units.length === 0) return [];
  const starts = wordStarts(text);
  const words: TimedWord[] = [];
  let at = 0;
  let lastStart = -1;
  for (const unit of units) {
    const found = text.indexOf(unit.text, at);
    // A unit that the text does not hold is a word of its own, so that none is lost.
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

/** For every place of a text, where the word begins that it belongs to. */
function wordStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { index, segment } of segmentWords(text)) {
    for (let place = 0; place < segment.length; place += 1) starts.push(index);
  }
  return starts;
}
