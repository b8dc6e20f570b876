import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { AddReadings } from '@jyutsing/text/normalization/add-readings';
import { spokenUnits, type SpokenUnit } from './spoken-units.ts';

/**
 * A unit that was heard; `written`: as the transcript has it, with the space before it. `speech`:
 * the stretch of speech that it is in.
 */
export type TimedUnit = SpokenUnit & {
  startMs: number;
  endMs: number;
  written: string;
  speech: { startMs: number; endMs: number };
};

type Anchor = { from: number; to: number; startMs: number; endMs: number };

/** The units of a transcript with their times, which are those of its words. */
export async function timedUnits(
  segments: readonly Segment[],
  language: Language,
  addReadings: AddReadings,
): Promise<TimedUnit[]> {
  const timed: TimedUnit[] = [];
  for (const segment of segments) {
    const anchors = anchorsOf(segment);
    const sentences = await spokenUnits(segment.text, language, addReadings);
    for (const unit of sentences.flatMap(({ units }) => units)) {
      const before = segment.text.slice(0, unit.from);
      const space = timed.length > 0 && /\s$/u.test(before) ? ' ' : '';
      const written = space + segment.text.slice(unit.from, unit.to);
      const times = { startMs: timeAt(unit.from, anchors), endMs: timeAt(unit.to, anchors, true) };
      timed.push({ ...unit, ...times, written, speech: segment });
    }
  }
  return timed;
}

/** The places of a segment's words in its text; without words the whole of it. */
function anchorsOf({ text, words, startMs, endMs }: Segment): Anchor[] {
  let from = 0;
  const anchors = words.flatMap((word): Anchor[] => {
    const at = word.text === '' ? -1 : text.indexOf(word.text, from);
    if (at < 0) return [];
    from = at + word.text.length;
    return [{ from: at, to: from, startMs: word.startMs, endMs: word.endMs }];
  });
  return anchors.length > 0 ? anchors : [{ from: 0, to: text.length, startMs, endMs }];
}

/** The time of a place in the text; `isEnd`: of what stands before it. */
function timeAt(offset: number, anchors: readonly Anchor[], isEnd = false): number {
  const anchor = isEnd ? anchors.findLast(({ from }) => from < offset) : anchors.find(({ to }) => to > offset);
  if (anchor === undefined) return isEnd ? (anchors[0]?.startMs ?? 0) : (anchors.at(-1)?.endMs ?? 0);
  const share = Math.min(1, Math.max(0, (offset - anchor.from) / (anchor.to - anchor.from)));
  return anchor.startMs + share * (anchor.endMs - anchor.startMs);
}
