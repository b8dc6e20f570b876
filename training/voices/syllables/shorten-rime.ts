import type { UnitCuts } from '#packages/engines/syllable/voice-file.ts';
import { MS } from './signal.ts';

type Recorded = UnitCuts & { label: string; samples: Float32Array };

/** Longest rime that is kept: connected speech needs no more, and citation rimes fill the file. */
const RIME_MS = 290;

/**
 * Shortens a long rime by leaving out whole periods at equal distances, so that melody and colour
 * change in the same order as recorded. Neighbouring periods are cross-faded.
 */
export function shortenRime(recorded: Recorded): Recorded {
  const { samples, rime, coda, end, marks } = recorded;
  const inside = [...marks].filter((mark) => mark >= rime && mark < end);
  const excess = end - rime - RIME_MS * MS;
  if (excess <= 0 || inside.length < 8) return recorded;
  const share = 1 - excess / (end - rime);
  const kept: number[] = [];
  // Times of the periods in the shortened rime decide which ones stay.
  let due = 0;
  for (const [index, mark] of inside.entries()) {
    due += share;
    if (index === 0 || due >= 1) {
      kept.push(mark);
      due -= due >= 1 ? 1 : 0;
    }
  }
  const periodAfter = (mark: number) => {
    const next = marks.indexOf(mark) + 1;
    return (marks[next] ?? mark * 2 - marks[next - 2]!) - mark;
  };
  const first = kept[0]!;
  const out: number[] = [...samples.subarray(0, first)];
  const newMarks = [...marks].filter((mark) => mark < first);
  const moved = new Map<number, number>();
  for (const [index, mark] of kept.entries()) {
    moved.set(mark, out.length);
    newMarks.push(out.length);
    const next = kept[index + 1];
    const length = periodAfter(mark);
    if (next === undefined) {
      out.push(...samples.subarray(mark, mark + length));
      continue;
    }
    // Fade from what followed this period to what came before the next one that is kept.
    for (let i = 0; i < length; i += 1) {
      const fade = 0.5 - 0.5 * Math.cos((Math.PI * i) / length);
      out.push((1 - fade) * (samples[mark + i] ?? 0) + fade * (samples[next - length + i] ?? 0));
    }
  }
  const last = kept.at(-1)!;
  const rest = last + periodAfter(last);
  const tail = out.length - rest;
  out.push(...samples.subarray(rest));
  for (const mark of marks) if (mark >= rest) newMarks.push(mark + tail);
  const place = (at: number) => {
    const mark = kept.findLast((candidate) => candidate <= at);
    return at >= rest
      ? at + tail
      : mark === undefined
        ? at
        : Math.min(out.length, moved.get(mark)! + (at - mark < periodAfter(mark) ? at - mark : 0));
  };
  return {
    ...recorded,
    samples: Float32Array.from(out),
    coda: coda === end ? place(end) : place(coda),
    end: place(end),
    marks: Int32Array.from(newMarks),
  };
}
