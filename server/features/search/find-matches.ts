import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import type { FoundSegment, SearchDocument, SearchPhrase, SearchQuery } from '#store/repositories/transcript-search.ts';
import { searchWords } from './search-words.ts';

/** A segment with the places in its text, in UTF-16 units, that match. */
export type SegmentMatch = FoundSegment & { highlights: [start: number, end: number][] };

/** Places of a phrase after which the event loop may run. */
const PER_TURN = 1_024;

/**
 * The segments of a transcript that match, in order: the first `limit`, and how many there are. A
 * phrase may go on in the next segment. The event loop runs meanwhile: a transcript of many hours
 * takes tens of milliseconds.
 */
export async function findMatches(
  document: SearchDocument,
  { text, jyutping }: SearchQuery,
  limit: number,
): Promise<{ matches: SegmentMatch[]; count: number }> {
  const bySegment = new Map<number, [first: number, last: number][]>();
  const addAll = async (lines: string, phrases: readonly SearchPhrase[]) => {
    const words = await indexWords(lines);
    for (const { words: sought } of new Map(phrases.map((phrase) => [phrase.words.join(' '), phrase])).values()) {
      let count = 0;
      for (const { segment, first, last } of occurrences(words, sought)) {
        if (count % PER_TURN === 0) await yieldToEventLoop();
        count += 1;
        const found = bySegment.get(segment);
        if (found === undefined) bySegment.set(segment, [[first, last]]);
        else found.push([first, last]);
      }
    }
  };
  if (text.length > 0) await addAll(document.text, text);
  if (jyutping !== null) {
    const hasTones = jyutping.words.some((word) => /[1-6]$/.test(word));
    await addAll(hasTones ? document.jyutping : document.syllables, [jyutping]);
  }
  const segments = [...bySegment.keys()].toSorted((a, b) => a - b);
  const matches = segments.slice(0, limit).flatMap((index) => {
    const segment = document.segments[index];
    return segment === undefined ? [] : [{ ...segment, highlights: placesOf(segment, bySegment.get(index) ?? []) }];
  });
  return { matches, count: segments.length };
}

/** All words of a document in order, with the number of their line, and where each line begins. */
type IndexedWords = { all: string[]; lineOf: number[]; lineStarts: number[]; places: Map<string, number[]> };

async function indexWords(text: string): Promise<IndexedWords> {
  const words: IndexedWords = { all: [], lineOf: [], lineStarts: [], places: new Map() };
  for (const [number, line] of text.split('\n').entries()) {
    await yieldToEventLoop();
    words.lineStarts.push(words.all.length);
    for (const word of line.split(' ')) {
      const places = words.places.get(word);
      if (places === undefined) words.places.set(word, [words.all.length]);
      else places.push(words.all.length);
      words.all.push(word);
      words.lineOf.push(number);
    }
  }
  return words;
}

/** Finds the words one after another, and gives their indices within each segment that has some. */
function* occurrences(
  { all, lineOf, lineStarts, places }: IndexedWords,
  sought: readonly string[],
): Generator<{ segment: number; first: number; last: number }> {
  for (const form of formsOf(sought[0] ?? '')) {
    for (const at of places.get(form) ?? []) {
      const last = at + sought.length - 1;
      if (last >= all.length || !sought.every((word, offset) => isLike(all[at + offset]!, word))) continue;
      for (let segment = lineOf[at]!; segment <= lineOf[last]!; segment += 1) {
        const from = lineStarts[segment]!;
        const until = lineStarts[segment + 1] ?? all.length;
        yield { segment, first: Math.max(at, from) - from, last: Math.min(last + 1, until) - from - 1 };
      }
    }
  }
}

const TONES = ['1', '2', '3', '4', '5', '6'];

/** A syllable without a tone is like one with any. */
const formsOf = (word: string) => [word, ...TONES.map((tone) => word + tone).filter(isSyllable)];
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
