import type { EditedSegment } from './editor.ts';
import { piecesOf } from './pieces.ts';

type Words = EditedSegment['words'];
/**
 * Whether a group of rows begins with this key. Segments that a split makes have other keys: the
 * rows after it would move to another group, which makes each of them anew.
 */
export const beginsGroup = (key: number): boolean => key % GROUP === 0;
const GROUP = 40;

/** The new segments, and where the cursor stands in them. */
export type Rearranged = { segments: readonly EditedSegment[]; key: number; caret: number };

const LATIN_END = /[\p{Script=Latin}\p{N}]$/u;
const LATIN_START = /^[\p{Script=Latin}\p{N}]/u;

/**
 * Splits a segment before a character, counted in UTF-16 units; null where one part would be empty.
 * The new segment gets a key that no other one has.
 */
export function splitAt(segments: readonly EditedSegment[], key: number, offset: number): Rearranged | null {
  const index = segments.findIndex((segment) => segment.key === key);
  const segment = segments[index];
  const parts = segment === undefined ? null : divide(segment, offset);
  if (parts === null) return null;
  const nextKey = segments.reduce((most, { key: used }) => Math.max(most, used), -1) + 1;
  const newKey = beginsGroup(nextKey) ? nextKey + 1 : nextKey;
  const [first, second] = parts;
  return {
    segments: segments.toSpliced(index, 1, first, { ...second, key: newKey }),
    key: newKey,
    caret: 0,
  };
}

/** Joins a segment to the one before it, whose speaker stays; null for the first one. */
export function mergeWithPrevious(segments: readonly EditedSegment[], key: number): Rearranged | null {
  const index = segments.findIndex((segment) => segment.key === key);
  const [first, second] = [segments[index - 1], segments[index]];
  if (first === undefined || second === undefined) return null;
  const joined = join(first, second, endLimit(segments, index + 1, first));
  return {
    segments: segments.toSpliced(index - 1, 2, joined),
    key: first.key,
    caret: joined.text.length - second.text.length,
  };
}

/** Leaves a segment out. The cursor goes to the next one, or to the one before. */
export function withoutSegment(segments: readonly EditedSegment[], key: number): Rearranged | null {
  const index = segments.findIndex((segment) => segment.key === key);
  if (index < 0) return null;
  const left = segments.toSpliced(index, 1);
  const near = left[index] ?? left[index - 1];
  return { segments: left, key: near?.key ?? -1, caret: 0 };
}

/**
 * Moves the border between two segments to a place in one of them: what stands before the place
 * goes to the previous segment, or what stands after it to the next one, as when the words of one
 * speaker were given to another. Null where there is nothing to move.
 */
export function moveBorder(
  segments: readonly EditedSegment[],
  key: number,
  offset: number,
  direction: 'previous' | 'next',
): Rearranged | null {
  const index = segments.findIndex((segment) => segment.key === key);
  const [segment, neighbour] = [segments[index], segments[direction === 'previous' ? index - 1 : index + 1]];
  const parts = segment === undefined ? null : divide(segment, offset);
  if (parts === null || neighbour === undefined) return null;
  const [first, second] = parts;
  if (direction === 'previous') {
    const grown = join(neighbour, first, second.start);
    return { segments: segments.toSpliced(index - 1, 2, grown, second), key, caret: 0 };
  }
  const grown = { ...join(second, neighbour, Infinity), key: neighbour.key, speaker: neighbour.speaker };
  return { segments: segments.toSpliced(index, 2, first, grown), key, caret: first.text.length };
}

/** In channels that overlap, the segment of a speaker ends before the next one of theirs. */
function endLimit(segments: readonly EditedSegment[], from: number, { speaker }: EditedSegment): number {
  for (let index = from; index < segments.length; index += 1) {
    if (segments[index]?.speaker === speaker) return segments[index]?.start ?? Infinity;
  }
  return Infinity;
}

function join(first: EditedSegment, second: EditedSegment, latestEnd: number): EditedSegment {
  const gap = LATIN_END.test(first.text) && LATIN_START.test(second.text) ? ' ' : '';
  const end = Math.max(first.start, Math.min(Math.max(first.end, second.end), latestEnd));
  const text = `${first.text}${gap}${second.text}`;
  return { ...first, end, text, words: [...first.words, ...second.words] };
}

/** The two parts of a segment; the second one has its key too. Null if one of them is empty. */
function divide(segment: EditedSegment, offset: number): [EditedSegment, EditedSegment] | null {
  const { text, start, end, words } = segment;
  const [before, after] = [text.slice(0, offset).trimEnd(), text.slice(offset).trimStart()];
  if (before === '' || after === '') return null;
  let at = 0;
  let [lastEnd, nextStart]: [number | null, number | null] = [null, null];
  for (const piece of piecesOf(segment)) {
    at += piece.text.length;
    if (piece.start === null) continue;
    if (at <= offset) lastEnd = piece.end;
    else nextStart ??= at - piece.text.length >= offset ? piece.start : null;
  }
  const guess = start + ((end - start) * before.length) / (before.length + after.length);
  const within = (time: number) => Math.min(end, Math.max(start, Math.round(time * 1_000) / 1_000));
  const secondStart = within(nextStart ?? lastEnd ?? guess);
  const firstEnd = Math.min(within(lastEnd ?? secondStart), secondStart);
  const [firstWords, secondWords] = divideWords(words, secondStart);
  return [
    { ...segment, end: firstEnd, text: before, words: firstWords },
    { ...segment, start: secondStart, text: after, words: secondWords },
  ];
}

/** Divides words at a time; a word with characters on both sides becomes two. */
function divideWords(words: Words, time: number): [Words, Words] {
  const [first, second]: [Words, Words] = [[], []];
  for (const word of words) {
    const earlier = word.characters.filter(({ start }) => start < time);
    const later = word.characters.filter(({ start }) => start >= time);
    if (earlier.length === 0 || later.length === 0) (word.start < time ? first : second).push(word);
    else {
      first.push({ ...word, ...spanOf(earlier) });
      second.push({ ...word, ...spanOf(later) });
    }
  }
  return [first, second];
}

function spanOf(characters: Words[number]['characters']) {
  const text = characters.map((character) => character.text).join('');
  return { text, characters, start: characters[0]?.start ?? 0, end: characters.at(-1)?.end ?? 0 };
}
