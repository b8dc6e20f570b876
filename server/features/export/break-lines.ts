import { lineBreaksOf } from '@jyutsing/text/boundaries/line-breaks';
import { segmentWords } from '@jyutsing/text/segment-words';
import { widthOf } from '#features/transcription/cue-atoms.ts';

/**
 * Divides a text into lines of at most `maxWidth` (Chinese characters; letters count half): as few
 * as possible, of similar widths, between words where that is possible. What is written together in
 * letters and digits stays whole, even if it is wider than a line.
 */
export function breakLines(text: string, maxWidth: number): string[] {
  if (widthOf(text) <= maxWidth) return [text];
  const units = unitsOf(text, maxWidth);
  // A line costs more than any shape of lines, so there are as few as possible.
  const cost = new Float64Array(units.length + 1).fill(Infinity);
  const previous = new Int32Array(units.length + 1);
  cost[0] = 0;
  for (let from = 0; from < units.length; from += 1) {
    let line = '';
    for (let last = from; last < units.length; last += 1) {
      line += units[last]!;
      const width = widthOf(line.trim());
      if (width > maxWidth && last > from) break;
      const emptiness = Math.max(0, 1 - width / maxWidth);
      const total = cost[from]! + 100 + emptiness * emptiness;
      if (total >= cost[last + 1]!) continue;
      cost[last + 1] = total;
      previous[last + 1] = from;
    }
  }
  const lines: string[] = [];
  for (let at = units.length; at > 0; at = previous[at] ?? 0) {
    lines.push(
      units
        .slice(previous[at] ?? 0, at)
        .join('')
        .trim(),
    );
  }
  return lines.toReversed().filter((line) => line !== '');
}

/** A text in words, with the spaces and marks after each. */
export function wordUnits(text: string): string[] {
  return unitsOf(text, Infinity);
}

/** Words with the marks around them; those in Chinese that are wider than a line, in parts. */
function unitsOf(text: string, maxWidth: number): string[] {
  const mayBreak = lineBreaksOf(text);
  const units: string[] = [];
  let from = 0;
  const end = (until: number) => {
    for (const part of partsOf(text.slice(from, until), maxWidth)) units.push(part);
    from = until;
  };
  let at = 0;
  for (const { segment } of segmentWords(text)) {
    if (mayBreak(at)) end(at);
    at += segment.length;
  }
  end(at);
  return units;
}

/** A unit that fits into a line; otherwise its parts that may, at last single marks. */
function partsOf(unit: string, maxWidth: number): string[] {
  if (widthOf(unit.trim()) <= maxWidth) return [unit];
  const mayBreak = lineBreaksOf(unit);
  const parts: string[] = [];
  let from = 0;
  for (let at = 1; at <= unit.length; at += 1) {
    if (at < unit.length && !mayBreak(at)) continue;
    const part = unit.slice(from, at);
    const isTooWide = widthOf(part.trim()) > maxWidth;
    for (const piece of isTooWide ? (part.match(NARROW_OR_ONE) ?? []) : [part]) parts.push(piece);
    from = at;
  }
  return parts;
}

/** Narrow characters that stand together, or another one. */
const NARROW_OR_ONE = /[\0-\u{2E7F}]+|./gu;
