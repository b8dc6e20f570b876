import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { joinWords } from './join-words.ts';
import { spellKnownNames } from './spelling/known-names.ts';
import { writeNumerals } from './numerals/write-numerals.ts';
import { punctuate, type PunctuationContext } from './punctuation/punctuate.ts';
import { copyCapitals } from './spelling/copy-capitals.ts';
import { spellEveryday } from './spelling/everyday-spelling.ts';

/** The notation of a text; the words that are said stay the same. */
export type WritingStyle = {
  /** Adds punctuation, and in English capitals at the beginning of sentences. */
  punctuation: boolean;
  /** Writes digits where people do. */
  numerals: boolean;
  /** Cantonese as most people type it (see `spellEveryday`); absent: no. */
  everydaySpelling?: boolean;
};

const MARKS = /[，。！？、；：,.!?;:…]/u;
/** Marks inside numbers, times and abbreviations are part of a word. */
const MARKS_BETWEEN_WORDS = /[，。！？、；：…]|[,.!?;:](?=\s|$)/gu;
const ENDS_SENTENCE = /[。！？.!?…]$/u;

/** Writes segments one after the other; a segment is complete when the next one is known. */
export type ReadableWriter = {
  /** Returns the previous segment as written text; null for the first segment. */
  add(segment: Segment): Segment | null;
  /** Returns the last segment. `pauseAfterMs`: the silence after it, if it is known. */
  end(pauseAfterMs?: number): Segment | null;
};

/**
 * Writes recognized segments as people do: names such as PayMe in their spelling, marks by pauses
 * unless the recognizer sets marks itself, and numbers in digits. Words keep their times; the words
 * of a number become one.
 */
export function createReadableWriter(language: Language, style: WritingStyle): ReadableWriter {
  let last: Segment | null = null;
  let continues = false;
  const writeLast = (next: Segment | null, pauseAfterMs: number) => {
    const written = last && writeSegment(last, language, style, { continues, pauseAfterMs });
    continues = written !== null && next?.speaker === written.speaker && !ENDS_SENTENCE.test(written.text);
    last = next;
    return written;
  };
  return {
    add: (segment) => writeLast(segment, last === null ? 0 : pauseBetween(last, segment)),
    end: (pauseAfterMs = Infinity) => writeLast(null, pauseAfterMs),
  };
}

/** Writes all segments of a recording; see `createReadableWriter`. */
export function writeReadably(segments: readonly Segment[], language: Language, style: WritingStyle): Segment[] {
  const writer = createReadableWriter(language, style);
  return [...segments.map(writer.add), writer.end()].filter((written) => written !== null);
}

/**
 * Milliseconds between two segments; endless before another speaker, who begins another sentence.
 */
function pauseBetween(segment: Segment, next: Segment): number {
  return next.speaker === segment.speaker ? Math.max(0, next.startMs - segment.endMs) : Infinity;
}

function writeSegment(segment: Segment, language: Language, style: WritingStyle, around: PunctuationContext): Segment {
  const named = spellKnownNames(segment, language);
  const marked = style.punctuation ? withMarks(named, language, around) : withoutMarks(named);
  const spelled = style.everydaySpelling === true && language === 'cantonese' ? spellEveryday(marked) : marked;
  return style.numerals ? writeNumerals(spelled, language) : spelled;
}

function withMarks(segment: Segment, language: Language, around: PunctuationContext): Segment {
  const { words, ...whole } = segment;
  if (words.length === 0 || MARKS.test(segment.text)) return segment;
  // A correction may have changed the text without its words, whose times then say nothing about
  // pauses.
  const isOfWords = withoutSpaces(joinWords(words.map(({ text }) => text))) === withoutSpaces(segment.text);
  const text = punctuate(isOfWords ? words : [{ ...whole, reading: null }], language, around);
  return { ...segment, text, words: language === 'english' ? copyCapitals(text, words) : words };
}

const withoutSpaces = (text: string) => text.replaceAll(/\s+/gu, '').toLowerCase();

function withoutMarks(segment: Segment): Segment {
  if (!MARKS.test(segment.text)) return segment;
  const text = joinWords(segment.text.replaceAll(MARKS_BETWEEN_WORDS, ' ').split(/\s+/u));
  const words = segment.words.map((word) => ({ ...word, text: word.text.replaceAll(MARKS_BETWEEN_WORDS, '') }));
  return { ...segment, text, words };
}
