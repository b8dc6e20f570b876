import type { EditedSegment } from './editor.ts';

/** The text that fusion replaced, and the term of a word list for which it did so. */
export type Correction = { from: string; term: string | null };

/**
 * A stretch of text at one moment of the sound; `start` is null for punctuation between two
 * stretches.
 */
export type Piece = {
  text: string;
  start: number | null;
  end: number | null;
  confidence: number | null;
  reading: string | null;
  corrected: Correction | null;
};

/** A text as its characters and words with their times. */
export function piecesOf({ text, words }: Pick<EditedSegment, 'text' | 'words'>): Piece[] {
  const units = words.flatMap(({ characters, ...word }) =>
    characters.length === 0
      ? [{ ...word, reading: null, corrected: null }]
      : characters.map(({ jyutping, pinyin, corrected = null, ...unit }) => ({
          ...unit,
          reading: jyutping ?? pinyin ?? null,
          corrected,
        })),
  );
  const pieces: Piece[] = [];
  let at = 0;
  for (const { text: unit, start, end, confidence, reading, corrected } of units) {
    const found = text.indexOf(unit, at);
    // The text was changed since its words were timed.
    if (found < 0) continue;
    if (found > at) pieces.push(silent(text.slice(at, found)));
    pieces.push({ text: unit, start, end, confidence, reading, corrected });
    at = found + unit.length;
  }
  if (at < text.length) pieces.push(silent(text.slice(at)));
  return pieces;
}

function silent(text: string): Piece {
  return { text, start: null, end: null, confidence: null, reading: null, corrected: null };
}

/** The index of the piece that is heard at a time; the last one that has begun. */
export function pieceAt(pieces: readonly Piece[], time: number): number {
  return pieces.findLastIndex(({ start }) => start !== null && start <= time);
}

/** The index of the segment that is heard at a time; -1 before the first. Segments are in order. */
export function segmentAt(segments: readonly { start: number }[], time: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.start ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
