import type { Segment, Word } from '@jyutsing/contracts/transcript';

/** Matches a unit of a text: a Chinese character, or a word in letters or digits. */
const UNIT = /\p{Script=Han}|[\p{L}\p{M}\p{N}'’]+/gu;
/** Cells of the comparison of two texts; a longer segment gets no words. */
const MAX_CELLS = 4_000_000;
/** Cells of all comparisons of an edit, half a second of work; later segments get no words. */
const MAX_CELLS_OF_EDIT = 50_000_000;

export type EditedSegment = Pick<Segment, 'text' | 'startMs' | 'endMs' | 'speaker'>;

/**
 * Makes segments of corrected ones, which must come in the order of their beginnings: with the
 * words of the recognized ones that they kept, which keep their times, readings and confidences. A
 * character that replaces another has the time of that one; others share the time between their
 * neighbours. A segment that is as it was comes back unchanged. With channels, words come from the
 * channel of the segment, unless it has none there.
 */
export function keepWords(
  recognized: readonly Segment[],
  { hasChannels = false }: { hasChannels?: boolean } = {},
): (edited: EditedSegment) => Segment {
  const inOrder = recognized.toSorted((a, b) => a.startMs - b.startMs);
  let firstOpen = 0;
  let cellsLeft = MAX_CELLS_OF_EDIT;
  const overlapping = ({ startMs, endMs, speaker }: EditedSegment): Segment[] => {
    while (firstOpen < inOrder.length && inOrder[firstOpen]!.endMs <= startMs) firstOpen += 1;
    const found: Segment[] = [];
    for (let index = firstOpen; index < inOrder.length && inOrder[index]!.startMs < endMs; index += 1) {
      if (inOrder[index]!.endMs > startMs) found.push(inOrder[index]!);
    }
    const inChannel = hasChannels ? found.filter((segment) => segment.speaker === speaker) : [];
    return inChannel.length > 0 ? inChannel : found;
  };
  return (edited) => {
    const { text, startMs, endMs, speaker } = edited;
    const within = overlapping(edited);
    const [same] = within;
    const isSame = same !== undefined && same.text === text && same.startMs === startMs && same.endMs === endMs;
    if (isSame) return { ...same, speaker };
    const timedWords = within
      .flatMap(({ words }) => words)
      .filter((word) => word.startMs < endMs && word.endMs > startMs);
    const units = [...text.matchAll(UNIT)].map(([unit]) => unit);
    const cells = units.length * timedWords.length;
    const isTimed = timedWords.length > 0 && cells <= Math.min(MAX_CELLS, cellsLeft);
    if (isTimed) cellsLeft -= cells;
    const words = isTimed ? place(units, timedWords, startMs, endMs) : [];
    return { text, startMs, endMs, speaker, words, confidence: null };
  };
}

function place(units: readonly string[], timedWords: readonly Word[], startMs: number, endMs: number): Word[] {
  const words: Word[] = [];
  let unitAt = 0;
  let knownAt = 0;
  const fillTo = (nextUnit: number, nextKnown: number) => {
    const replaced = timedWords.slice(knownAt, nextKnown);
    const fromMs = words.at(-1)?.endMs ?? replaced[0]?.startMs ?? startMs;
    const toMs = timedWords[nextKnown]?.startMs ?? replaced.at(-1)?.endMs ?? endMs;
    words.push(...between(units.slice(unitAt, nextUnit), replaced, fromMs, Math.max(fromMs, toMs)));
  };
  for (const [unit, word] of commonPairs(units, timedWords)) {
    fillTo(unit, word);
    words.push(...timedWords.slice(word, word + 1));
    unitAt = unit + 1;
    knownAt = word + 1;
  }
  fillTo(units.length, timedWords.length);
  const clamp = (timeMs: number) => Math.min(endMs, Math.max(startMs, timeMs));
  return words.map((word) => ({ ...word, startMs: clamp(word.startMs), endMs: clamp(word.endMs) }));
}

/** New units in the place of replaced ones; as many as these take over their times. */
function between(units: readonly string[], replaced: readonly Word[], fromMs: number, toMs: number): Word[] {
  const lengthMs = (toMs - fromMs) / Math.max(1, units.length);
  return units.map((text, index) => {
    const former = units.length === replaced.length ? replaced[index] : undefined;
    const startMs = former?.startMs ?? Math.round(fromMs + index * lengthMs);
    const endMs = former?.endMs ?? Math.round(fromMs + (index + 1) * lengthMs);
    return { text, reading: null, startMs, endMs, confidence: null };
  });
}

/** The longest common subsequence of both: pairs of indices in order. */
function commonPairs(units: readonly string[], timedWords: readonly Word[]): [unit: number, word: number][] {
  const width = timedWords.length + 1;
  const lengths = new Uint16Array((units.length + 1) * width);
  const at = (unit: number, word: number) => lengths[unit * width + word] ?? 0;
  const isSame = (unit: number, word: number) => units[unit] === timedWords[word]?.text;
  for (let unit = units.length - 1; unit >= 0; unit -= 1) {
    for (let word = timedWords.length - 1; word >= 0; word -= 1) {
      lengths[unit * width + word] = isSame(unit, word)
        ? at(unit + 1, word + 1) + 1
        : Math.max(at(unit + 1, word), at(unit, word + 1));
    }
  }
  const pairs: [number, number][] = [];
  let unit = 0;
  let word = 0;
  while (unit < units.length && word < timedWords.length) {
    if (isSame(unit, word)) pairs.push([unit++, word++]);
    else if (at(unit + 1, word) >= at(unit, word + 1)) unit += 1;
    else word += 1;
  }
  return pairs;
}
