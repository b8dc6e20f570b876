import type { TextPiece } from '@jyutsing/contracts/spoken-text';
import { plainText } from './plain-text.ts';
import { findUnbreakableSpans, type UnbreakableSpan } from './unbreakable-spans.ts';

/** A piece is said in one breath: about 40 Chinese characters or 25 English words. */
const MOST_SYLLABLES = 40;
/** Of two places for a cut the later one is better, but not for what would leave crumbs. */
const LEAST_SYLLABLES = 6;
/** The first piece is short, so that its sound is there at once. */
const FIRST = { least: 4, most: 16, usual: 12 } as const;

/**
 * The pieces of a text in order, to be said one after the other: sentences, long ones cut at commas or else between words, the first
 * one kept short; never within a number, a date, a time, an address or an abbreviation. Together they are the text. A text with nothing
 * that could be said gives none. Any text is safe, and takes time in proportion to its length.
 */
export function splitText(text: string): TextPiece[] {
  const sentences = sentencesOf(findUnbreakableSpans(plainText(text)));
  const pieces: TextPiece[] = [];
  sentences.forEach((sentence, index) => {
    const groups = index === 0 ? cutFirst(sentence) : cutLong(sentence);
    groups.forEach((group, place) => {
      const piece = text.slice(group.at(0)?.start ?? 0, group.at(-1)?.end ?? 0);
      pieces.push({ text: piece, endsSentence: place === groups.length - 1 });
    });
  });
  return pieces;
}

/** Sentences with something to say; what has nothing to say (emoji, marks) belongs to its neighbour. */
function sentencesOf(spans: readonly UnbreakableSpan[]): UnbreakableSpan[][] {
  const sentences: UnbreakableSpan[][] = [];
  let sentence: UnbreakableSpan[] = [];
  for (const span of spans) {
    sentence.push(span);
    if (span.after === 'sentence' && countOf(sentence) > 0) {
      sentences.push(sentence);
      sentence = [];
    }
  }
  if (countOf(sentence) > 0) sentences.push(sentence);
  else sentences.at(-1)?.push(...sentence);
  return sentences;
}

function countOf(spans: readonly UnbreakableSpan[]): number {
  return spans.reduce((sum, { syllables }) => sum + syllables, 0);
}

/** The first sentence: its first clause, or its first dozen syllables, stands alone. */
function cutFirst(sentence: UnbreakableSpan[]): UnbreakableSpan[][] {
  const total = countOf(sentence);
  if (total <= FIRST.most && !sentence.some((span, index) => span.after === 'clause' && index < sentence.length - 1)) {
    return [sentence];
  }
  const cut = firstCut(sentence, total);
  if (cut === null) return cutLong(sentence);
  return [sentence.slice(0, cut), ...cutLong(sentence.slice(cut))];
}

/** How many atoms the first piece has; null: all. */
function firstCut(sentence: readonly UnbreakableSpan[], total: number): number | null {
  let passed = 0;
  let atWord: number | null = null;
  for (const [index, span] of sentence.entries()) {
    passed += span.syllables;
    if (passed > FIRST.most) break;
    const rest = total - passed;
    if (rest <= 0) return null;
    if (passed < FIRST.least) continue;
    if (span.after === 'clause') return index + 1;
    if (span.after === 'word' && rest >= FIRST.least && (passed <= FIRST.usual || atWord === null)) atWord = index + 1;
  }
  return total <= FIRST.most ? null : atWord;
}

/** A sentence in parts of at most `MOST_SYLLABLES`, cut after the last comma that fits, else between words. */
function cutLong(sentence: UnbreakableSpan[]): UnbreakableSpan[][] {
  const groups: UnbreakableSpan[][] = [];
  let start = 0;
  let left = countOf(sentence);
  while (left > MOST_SYLLABLES) {
    const end = cutAt(sentence, start, left);
    if (end >= sentence.length) break;
    const group = sentence.slice(start, end);
    groups.push(group);
    left -= countOf(group);
    start = end;
  }
  groups.push(sentence.slice(start));
  return groups;
}

function cutAt(sentence: readonly UnbreakableSpan[], start: number, left: number): number {
  let passed = 0;
  let atClause: number | null = null;
  let atWord: number | null = null;
  // Two parts of like length sound better than a long one and a crumb.
  const wanted = Math.min(MOST_SYLLABLES, Math.ceil(left / Math.ceil(left / MOST_SYLLABLES)) + LEAST_SYLLABLES);
  for (let index = start; index < sentence.length; index += 1) {
    const span = sentence[index];
    if (span === undefined || (passed > 0 && passed + span.syllables > MOST_SYLLABLES)) break;
    passed += span.syllables;
    if (passed < LEAST_SYLLABLES || left - passed <= 0) continue;
    if (span.after === 'clause') atClause = index + 1;
    else if (span.after === 'word' && passed <= wanted) atWord = index + 1;
  }
  return atClause ?? atWord ?? Math.max(start + 1, nextAfter(sentence, start));
}

/** The first place after `start` behind which something was said. */
function nextAfter(sentence: readonly UnbreakableSpan[], start: number): number {
  let index = start;
  while (index < sentence.length && (sentence[index]?.syllables ?? 0) === 0) index += 1;
  return index + 1;
}
