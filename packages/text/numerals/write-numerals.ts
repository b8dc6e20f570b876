import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import { CHINESE_RULES } from './chinese-rules.ts';
import { ENGLISH_RULES } from './english-rules.ts';

/** A stretch of a text and what replaces it. */
type Change = { from: number; to: number; written: string };

/**
 * Writes spoken numbers in digits where people do: amounts, times, dates, years, percentages,
 * telephone numbers and exact large numbers. The words of a number become one, with the time from
 * the first to the last. Small counts, ordinals, approximate numbers and idioms stay words.
 */
export function writeNumerals(segment: Segment, language: Language): Segment {
  const changes = findChanges(segment.text, language);
  if (changes.length === 0) return segment;
  const placed = placeWords(segment);
  const kept = changes.filter(({ from, to }) => !placed.some((word) => isCut(word, from, to)));
  let text = '';
  let reached = 0;
  for (const { from, to, written } of kept) {
    text += segment.text.slice(reached, from) + written;
    reached = to;
  }
  return { ...segment, text: text + segment.text.slice(reached), words: joinParts(placed, kept) };
}

type Placed = { word: Word; from: number; to: number };

/** Words that the text does not contain have no place and stay as they are. */
function placeWords({ text, words }: Segment): Placed[] {
  let at = 0;
  return words.map((word) => {
    const from = text.indexOf(word.text, at);
    if (from < 0) return { word, from: -1, to: -1 };
    at = from + word.text.length;
    return { word, from, to: at };
  });
}

const isCut = ({ from, to }: Placed, start: number, end: number) =>
  (from < start && to > start) || (from < end && to > end);

function joinParts(placed: readonly Placed[], changes: readonly Change[]): Word[] {
  const words: Word[] = [];
  let last: Change | undefined;
  for (const { word, from, to } of placed) {
    const change = changes.find((candidate) => from >= candidate.from && to <= candidate.to);
    const before = words.at(-1);
    if (change === undefined) words.push(word);
    else if (change !== last || before === undefined) words.push({ ...word, text: change.written, reading: null });
    else words[words.length - 1] = { ...before, endMs: word.endMs, confidence: lower(before, word) };
    last = change;
  }
  return words;
}

/** A number is as sure as its least sure part. */
function lower({ confidence: left }: Word, { confidence: right }: Word): number | null {
  return left === null || right === null ? null : Math.min(left, right);
}

/** The changes of a text in order, without overlaps: an earlier rule wins. */
function findChanges(text: string, language: Language): Change[] {
  const changes: Change[] = [];
  for (const { pattern, write } of language === 'english' ? ENGLISH_RULES : CHINESE_RULES) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (changes.some((change) => from < change.to && to > change.from)) continue;
      const written = write(match.slice(1));
      if (written !== null) changes.push({ from, to, written });
    }
  }
  return changes.toSorted((a, b) => a.from - b.from);
}
