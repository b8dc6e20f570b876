import { soundDistance } from '@jyutsing/text/syllables/sound-distance';
import type { SpokenUnit } from './spoken-units.ts';

/** Indexes of two sequences that belong together; −1: the other one has nothing here. */
export type UnitPair = { text: number; spoken: number; cost: number };

type Unit = Pick<SpokenUnit, 'text' | 'syllable'>;

/** Leaving out a unit of either side; a wrong one in its place costs less than both. */
const SKIP = 0.6;
/** Units in a row that must agree, and occur once on either side, to be an anchor. */
const ANCHOR_LENGTHS = [8, 5, 3] as const;
/** Cells of one table; longer stretches without an anchor are cut in proportion. */
const MAX_CELLS = 4_000_000;

/**
 * Pairs the units of a text with those that were spoken, in order, at the least cost: exact up to
 * stretches of about 2,000 units without any sure place, so that time grows with the length.
 */
export function matchUnits(text: readonly Unit[], spoken: readonly Unit[]): UnitPair[] {
  const pairs: UnitPair[] = [];
  const match = (range: Range, level: number): void => {
    const [rows, columns] = [range.textTo - range.textFrom, range.heardTo - range.heardFrom];
    if (rows * columns <= MAX_CELLS / 16 || (level >= ANCHOR_LENGTHS.length && rows * columns <= MAX_CELLS)) {
      // A call with as many arguments as pairs may exceed the stack.
      for (const pair of matchExactly(text, spoken, range)) pairs.push(pair);
      return;
    }
    for (const part of cutAt(placesIn(text, spoken, range, level), range)) match(part, level + 1);
  };
  match({ textFrom: 0, textTo: text.length, heardFrom: 0, heardTo: spoken.length }, 0);
  return pairs;
}

type Range = { textFrom: number; textTo: number; heardFrom: number; heardTo: number };
type Place = readonly [text: number, spoken: number];

function placesIn(text: readonly Unit[], spoken: readonly Unit[], range: Range, level: number): Place[] {
  const length = ANCHOR_LENGTHS[level];
  if (length !== undefined) return anchorsOf(text, spoken, range, length);
  const rows = range.textTo - range.textFrom;
  const columns = range.heardTo - range.heardFrom;
  const parts = Math.ceil(Math.sqrt((rows * columns) / MAX_CELLS)) + 1;
  return Array.from({ length: parts - 1 }, (_, index) => [
    range.textFrom + Math.floor((rows * (index + 1)) / parts),
    range.heardFrom + Math.floor((columns * (index + 1)) / parts),
  ]);
}

function* cutAt(places: readonly Place[], range: Range): Generator<Range> {
  let { textFrom, heardFrom } = range;
  for (const [textTo, heardTo] of places) {
    yield { textFrom, textTo, heardFrom, heardTo };
    [textFrom, heardFrom] = [textTo, heardTo];
  }
  yield { ...range, textFrom, heardFrom };
}

/** Places with the same sounds that occur once on either side, in an order that both share. */
function anchorsOf(text: readonly Unit[], spoken: readonly Unit[], range: Range, length: number): Place[] {
  const places = onlyPlaces(text, range.textFrom, range.textTo, length);
  const common: Place[] = [];
  for (const [key, heardAt] of onlyPlaces(spoken, range.heardFrom, range.heardTo, length)) {
    const textAt = places.get(key);
    if (textAt !== undefined) common.push([textAt, heardAt]);
  }
  return longestIncreasing(common.toSorted(([a], [b]) => a - b));
}

function onlyPlaces(units: readonly Unit[], from: number, to: number, length: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = from; at + length <= to; at += 1) {
    let key = '';
    for (let index = at; index < at + length; index += 1) key += `${keyOf(units[index]!)} `;
    if (places.has(key)) repeated.add(key);
    places.set(key, at);
  }
  for (const key of repeated) places.delete(key);
  return places;
}

/** Tones are ignored: they differ most between what is read and what is spoken. */
function keyOf({ text, syllable }: Unit): string {
  return syllable === null ? text : syllable.slice(0, -1);
}

/** The longest part of the places in which both indexes grow (patience sorting). */
function longestIncreasing(places: readonly Place[]): Place[] {
  const ends: number[] = [];
  const before = new Int32Array(places.length);
  places.forEach(([, heardAt], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[ends[middle]!]![1] < heardAt) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = index;
  });
  const chain: Place[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) chain.push(places[index]!);
  return chain.toReversed();
}

const [BOTH, TEXT, HEARD] = [0, 1, 2];

/** Needleman and Wunsch 1970, over the units of a range. */
function matchExactly(text: readonly Unit[], spoken: readonly Unit[], range: Range): UnitPair[] {
  const { textFrom, heardFrom } = range;
  const [rows, columns] = [range.textTo - textFrom, range.heardTo - heardFrom];
  const width = columns + 1;
  const steps = new Uint8Array((rows + 1) * width).fill(HEARD);
  let scores = Float64Array.from({ length: width }, (_, column) => column * SKIP);
  for (let row = 1; row <= rows; row += 1) {
    const next = new Float64Array(width);
    next[0] = row * SKIP;
    steps[row * width] = TEXT;
    for (let column = 1; column <= columns; column += 1) {
      const both = scores[column - 1]! + costOf(text[textFrom + row - 1]!, spoken[heardFrom + column - 1]!);
      const skipText = scores[column]! + SKIP;
      const skipHeard = next[column - 1]! + SKIP;
      next[column] = Math.min(both, skipText, skipHeard);
      steps[row * width + column] = next[column] === both ? BOTH : next[column] === skipText ? TEXT : HEARD;
    }
    scores = next;
  }
  const pairs: UnitPair[] = [];
  for (let [row, column] = [rows, columns]; row > 0 || column > 0;) {
    const step = steps[row * width + column];
    if (step !== HEARD) row -= 1;
    if (step !== TEXT) column -= 1;
    const pair = { text: step === HEARD ? -1 : textFrom + row, spoken: step === TEXT ? -1 : heardFrom + column };
    pairs.push({ ...pair, cost: step === BOTH ? costOf(text[pair.text]!, spoken[pair.spoken]!) : 1 });
  }
  return pairs.toReversed();
}

/** From 0 for the same unit to 1 for one that sounds nothing alike. */
function costOf(a: Unit, b: Unit): number {
  if (a.text === b.text) return 0;
  if (a.syllable !== null && b.syllable !== null) {
    return a.syllable === b.syllable ? 0.05 : 0.1 + 0.9 * syllableDistance(a.syllable, b.syllable);
  }
  return a.syllable === null && b.syllable === null ? spellingDistance(a.text, b.text) : 1;
}

function syllableDistance(a: string, b: string): number {
  return a.slice(0, -1) === b.slice(0, -1) ? 0 : soundDistance(a, b);
}

/** The share of two spellings that is not a common beginning or end. */
function spellingDistance(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const shortest = Math.min(a.length, b.length);
  let start = 0;
  while (start < shortest && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return longest === 0 ? 0 : 1 - (start + end) / longest;
}
