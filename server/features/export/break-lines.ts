import { segmentWords } from '@jyutsing/text/segment-words';
import { widthOf } from '#features/transcription/cue-atoms.ts';

/** Marks that begin no line, and those that end none. */
const NEVER_FIRST = /^[，。！？；：、…」』）》〉】”’,.!?;:)\]}%]/u;
const NEVER_LAST = /[「『（《〈【“‘([{]$/u;

/**
 * Divides a text into lines of at most `maxWidth` (Chinese characters; letters count half): as few
 * as possible, of similar widths, between words where that is possible. A word in letters that is
 * wider than a line stays whole.
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
      const next = units[last + 1];
      const isForbidden = next !== undefined && (NEVER_FIRST.test(next) || NEVER_LAST.test(line.trimEnd()));
      const emptiness = Math.max(0, 1 - width / maxWidth);
      const total = cost[from]! + 100 + emptiness * emptiness + (isForbidden ? 30 : 0);
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

/** Words with the marks after them; Chinese words that are wider than a line, by characters. */
function unitsOf(text: string, maxWidth: number): string[] {
  const units: string[] = [];
  let lastWidth = 0;
  for (const { segment, isWordLike } of segmentWords(text)) {
    const width = widthOf(segment);
    if (isWordLike !== true && units.length > 0 && !NEVER_LAST.test(segment) && lastWidth + width <= maxWidth) {
      units[units.length - 1] += segment;
      lastWidth += width;
      continue;
    }
    const added = width > maxWidth && /\p{Script=Han}/u.test(segment) ? [...segment] : [segment];
    for (const unit of added) units.push(unit);
    lastWidth = widthOf(added.at(-1) ?? '');
  }
  return units;
}
