import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { lineBreaksOf } from '@jyutsing/text/boundaries/line-breaks';
import { segmentWords } from '@jyutsing/text/segment-words';

/** An indivisible unit of a cue: a word with its punctuation. */
export type Atom = {
  text: string;
  words: Word[];
  startMs: number;
  endMs: number;
  /** First of a recognized segment: a pause precedes it. */
  opensSegment: boolean;
  /** The confidence of the segment. */
  confidence: number | null;
};

/**
 * A word's place in the text and in time; `word` is null when the recognizer timed only the
 * segment.
 */
type PlacedWord = { word: Word | null; from: number; to: number; startMs: number; endMs: number };

/** Characters whose words are looked for together, in less than a millisecond. */
const BATCH_CHARACTERS = 1_000;
/** Ends words as the end of a text does, and is no part of one. */
const LINE_SEPARATOR = '\u2028';

/** Groups of neighbors to pass to `atomsOf`; a segment that is longer is a group alone. */
export function* batchesOf(segments: readonly Segment[]): Generator<readonly Segment[]> {
  let from = 0;
  let characters = 0;
  for (const [index, { text }] of segments.entries()) {
    characters += text.length;
    if (index === from || characters <= BATCH_CHARACTERS) continue;
    yield segments.slice(from, index);
    from = index;
    characters = text.length;
  }
  yield segments.slice(from);
}

/** The atoms of segments with text, in order; those of a segment together have all of its text. */
export function atomsOf(segments: readonly Segment[]): Atom[] {
  const isCut = segments.map(mayBeCut);
  const found = wordsOfTexts(segments.filter((_, index) => isCut[index]).map(({ text }) => text));
  return segments.flatMap((segment, index) => {
    const words = isCut[index] === true ? found.next().value : undefined;
    return words === undefined ? wholeSegment(segment) : atomsOfWords(segment, words);
  });
}

/** Whether a segment may have several words, which only the word segmenter can tell. */
function mayBeCut({ text, words }: Segment): boolean {
  return words.length > 1 || (words.length === 0 && text.trim().length > 1);
}

function atomsOfWords(segment: Segment, { words, ends }: TextWords): Atom[] {
  const placed = segment.words.length > 0 ? placedWords(segment) : wordsByShare(segment, words);
  return placed.length === 0 ? [wholeSegment(segment)] : joinWords(segment, placed, ends);
}

/** The words of a text, and where these and the marks between them end. */
type TextWords = { words: string[]; ends: number[] };

/**
 * The words of each text by a word segmenter. It reads all texts as one: to begin with a text costs
 * as much as a dozen words.
 */
function* wordsOfTexts(texts: readonly string[]): Generator<TextWords, undefined> {
  let found: TextWords = { words: [], ends: [] };
  let index = 0;
  let end = 0;
  for (const { segment, isWordLike } of segmentWords(texts.join(LINE_SEPARATOR))) {
    if (end === texts[index]!.length) {
      // This is the separator.
      yield found;
      found = { words: [], ends: [] };
      index += 1;
      end = 0;
      continue;
    }
    end += segment.length;
    found.ends.push(end);
    if (isWordLike === true) found.words.push(segment);
  }
  yield found;
}

/** Divides the time of a segment among the words of its text, by their widths. */
function wordsByShare({ text, startMs, endMs }: Segment, words: readonly string[]): PlacedWord[] {
  const widths = words.map(widthOf);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const timeAt = (width: number) => startMs + Math.round(((endMs - startMs) * width) / total);
  let passed = 0;
  let at = 0;
  return words.map((word, index) => {
    const from = text.indexOf(word, at);
    const fromMs = timeAt(passed);
    passed += widths[index] ?? 0;
    at = from + word.length;
    return { word: null, from, to: at, startMs: fromMs, endMs: timeAt(passed) };
  });
}

/** Positions of the words in the text; skips words that the text does not contain. */
function placedWords({ text, words }: Segment): PlacedWord[] {
  const placed: PlacedWord[] = [];
  let at = 0;
  for (const word of words) {
    const from = text.indexOf(word.text, at);
    if (from < 0 || word.text === '') continue;
    at = from + word.text.length;
    placed.push({ word, from, to: at, startMs: word.startMs, endMs: word.endMs });
  }
  return placed;
}

/** Joins words between which no word of the text and no cue may end. */
function joinWords(segment: Segment, placed: readonly PlacedWord[], ends: readonly number[]): Atom[] {
  const atoms: Atom[] = [];
  const mayBreak = lineBreaksOf(segment.text);
  let from = 0;
  let words: Word[] = [];
  let firstMs: number | null = null;
  let nextEnd = 0;
  for (let index = 0; index < placed.length; index += 1) {
    const { word, to, startMs: wordMs, endMs } = placed[index]!;
    const next = placed[index + 1];
    firstMs ??= wordMs;
    if (word !== null) words.push(word);
    while ((ends[nextEnd] ?? Infinity) < to) nextEnd += 1;
    if (next !== undefined && (ends[nextEnd] ?? Infinity) > next.from) continue;
    const isLast = next === undefined;
    const until = isLast ? segment.text.length : placeToCut(segment.text, mayBreak, to, next.from);
    if (until === null) continue;
    const startMs = atoms.length === 0 ? segment.startMs : firstMs;
    atoms.push({
      text: segment.text.slice(from, until),
      words,
      startMs,
      endMs: Math.max(startMs, isLast ? segment.endMs : endMs),
      opensSegment: atoms.length === 0,
      confidence: segment.confidence,
    });
    from = until;
    words = [];
    firstMs = null;
  }
  return atoms;
}

function wholeSegment({ text, words, startMs, endMs, confidence }: Segment): Atom {
  return { text, words, startMs, endMs: Math.max(startMs, endMs), opensSegment: true, confidence };
}

/** The first place between two words at which a cue may end; null: they stay together. */
function placeToCut(text: string, mayBreak: ReturnType<typeof lineBreaksOf>, from: number, to: number): number | null {
  for (let at = from; at <= to; at += 1) if (mayBreak(at) || /\s/u.test(text[at] ?? '')) return at;
  return null;
}

/** Width in Chinese characters; a letter, digit or space counts half. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += isWide(character.codePointAt(0) ?? 0) ? 1 : 0.5;
  return width;
}

function isWide(codePoint: number): boolean {
  return (codePoint >= 0x2e80 && codePoint <= 0xffef) || (codePoint >= 0x20000 && codePoint <= 0x3ffff);
}
