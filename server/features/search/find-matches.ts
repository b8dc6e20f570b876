import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import type { FoundSegment, SearchDocument, SearchQuery } from '#store/repositories/transcript-search.ts';
import { searchWords } from './search-words.ts';

/** A segment with the places in its text, in UTF-16 units, that match. */
export type SegmentMatch = FoundSegment & { highlights: [start: number, end: number][] };

/**
 * The segments of a transcript that match, in order: the first `limit`, and how many there are. A
 * phrase may go on in the next segment.
 */
export function findMatches(
  document: SearchDocument,
  { text, jyutping }: SearchQuery,
  limit: number,
): { matches: SegmentMatch[]; count: number } {
  const bySegment = new Map<number, [first: number, last: number][]>();
  const add = (lines: string, words: readonly string[]) => {
    for (const { segment, first, last } of occurrences(lines, words)) {
      const found = bySegment.get(segment);
      if (found === undefined) bySegment.set(segment, [[first, last]]);
      else found.push([first, last]);
    }
  };
  for (const { words } of text) add(document.text, words);
  if (jyutping !== null) {
    const hasTones = jyutping.words.some((word) => /[1-6]$/.test(word));
    add(hasTones ? document.jyutping : document.syllables, jyutping.words);
  }
  const segments = [...bySegment.keys()].toSorted((a, b) => a - b);
  const matches = segments.slice(0, limit).flatMap((index) => {
    const segment = document.segments[index];
    return segment === undefined ? [] : [{ ...segment, highlights: placesOf(segment, bySegment.get(index) ?? []) }];
  });
  return { matches, count: segments.length };
}

/** Finds the words one after another, and gives their indices within each segment that has some. */
function* occurrences(
  lines: string,
  words: readonly string[],
): Generator<{ segment: number; first: number; last: number }> {
  const all = lines.split(/[ \n]/);
  const firstWords = [0];
  for (const line of lines.split('\n')) firstWords.push(firstWords.at(-1)! + line.split(' ').length);
  let segment = 0;
  for (let at = 0; at + words.length <= all.length; at += 1) {
    while (firstWords[segment + 1]! <= at) segment += 1;
    if (!words.every((sought, offset) => isLike(all[at + offset]!, sought))) continue;
    const end = at + words.length;
    for (let within = segment; firstWords[within]! < end; within += 1) {
      const [from, until] = [firstWords[within]!, firstWords[within + 1]!];
      yield { segment: within, first: Math.max(at, from) - from, last: Math.min(end, until) - from - 1 };
    }
  }
}

/** A syllable without a tone is like one with any. */
const isLike = (word: string, sought: string) =>
  word === sought || (word.length === sought.length + 1 && word.startsWith(sought) && isSyllable(word));

function placesOf({ text }: FoundSegment, found: readonly [number, number][]): [number, number][] {
  const words = searchWords(text);
  const places = found
    .map(([first, last]): [number, number] => [words[first]?.start ?? 0, words[last]?.end ?? 0])
    .toSorted((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [start, end] of places) {
    const before = merged.at(-1);
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
