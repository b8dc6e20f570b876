import type { EditedSegment } from './editor.ts';
import { piecesOf, type Piece } from './pieces.ts';

/**
 * A character below this confidence is marked as uncertain, and below the second one as very
 * uncertain.
 */
const UNCERTAIN = 0.7;
const VERY_UNCERTAIN = 0.4;

export type Doubt = 'doubt' | 'doubt much';
/** A stretch of the text of a segment, in UTF-16 units; `time` is where it is heard. */
export type DoubtRange = { from: number; to: number; kind: Doubt; time: number };

export function doubtOf({ confidence }: Pick<Piece, 'confidence'>): Doubt | null {
  if (confidence === null || confidence >= UNCERTAIN) return null;
  return confidence < VERY_UNCERTAIN ? 'doubt much' : 'doubt';
}

const found = new WeakMap<EditedSegment, readonly DoubtRange[]>();

/** The uncertain stretches of a segment; neighbours of one kind are one stretch. */
export function doubtsOf(segment: EditedSegment): readonly DoubtRange[] {
  const earlier = found.get(segment);
  if (earlier !== undefined) return earlier;
  const ranges: DoubtRange[] = [];
  let at = 0;
  for (const piece of piecesOf(segment)) {
    const [from, kind] = [at, doubtOf(piece)];
    at += piece.text.length;
    if (kind === null) continue;
    const last = ranges.at(-1);
    if (last?.to === from && last.kind === kind) last.to = at;
    else ranges.push({ from, to: at, kind, time: piece.start ?? segment.start });
  }
  found.set(segment, ranges);
  return ranges;
}

export type Place = { key: number; from: number; to: number; time: number };

/**
 * The uncertain stretch after a place, or before it with a `step` of -1; the search goes on at the
 * other end. Null when nothing is uncertain.
 */
export function nextDoubt(
  segments: readonly EditedSegment[],
  { key, from }: { key: number; from: number },
  step: 1 | -1,
): Place | null {
  const all = segments.flatMap((segment, index) =>
    doubtsOf(segment).map((range) => ({ ...range, index, key: segment.key })),
  );
  const index = segments.findIndex((segment) => segment.key === key);
  const isAfter = (range: { index: number; from: number }) =>
    range.index > index || (range.index === index && range.from > from);
  const isBefore = (range: { index: number; from: number }) =>
    range.index < index || (range.index === index && range.from < from);
  return step === 1 ? (all.find(isAfter) ?? all[0] ?? null) : (all.findLast(isBefore) ?? all.at(-1) ?? null);
}
