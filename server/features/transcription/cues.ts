import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { atomsOf, batchesOf, widthOf, type Atom } from './cue-atoms.ts';
import { createPlainWriter } from './format.ts';
import { meanConfidence } from './mean-confidence.ts';

/** Minimum duration of a cue if the next one leaves time: shorter ones cannot be read. */
export const MIN_CUE_MS = 1_000;
/** Longest pause within a cue; otherwise its text would appear long before it is spoken. */
const LONGEST_BRIDGED_PAUSE_MS = 1_500;
/** Atoms or cues after which the event loop may run: fractions of a millisecond of work. */
const PER_TURN = 128;

const SENTENCE_END = /[。！？!?…]["'」』）)]*$|\.["'）)]*$/u;
const CLAUSE_END = /[，；：、,;:]["'」』）)]*$/u;

/**
 * Cuts a text into subtitles: at ends of sentences and clauses and at pauses, never inside a word;
 * within the limits unless a single word exceeds them, and at least a second long if a neighbor
 * can take shorter ones. Speakers are not mixed. Times are those of the words; a short cue is
 * extended to the next one, up to a second. Cues are in order and overlap only where segments do.
 * Minimizes a total cost by dynamic programming (as Knuth and Plass break paragraphs, 1981). A
 * transcript of ten hours takes a fifth of a second, in which the event loop runs every 20 ms.
 */
export async function cutCues(segments: readonly Segment[], limits: CueLimits): Promise<Segment[]> {
  const cues: Segment[] = [];
  for (const run of runsOfOneSpeaker(segments)) {
    const atoms: Atom[] = [];
    for (const batch of batchesOf(run)) {
      await yieldToEventLoop();
      for (const atom of atomsOf(batch)) atoms.push(atom);
    }
    let from = 0;
    for (const until of await cheapestCuts(atoms, limits)) {
      if (cues.length % PER_TURN === 0) await yieldToEventLoop();
      const cue = toCue(atoms.slice(from, until), run[0]?.speaker ?? null);
      const last = cues.pop();
      if (last !== undefined) cues.push(extend(last, cue));
      cues.push(cue);
      from = until;
    }
  }
  const last = cues.pop();
  const all = last === undefined ? [] : [...cues, extend(last, undefined)];
  // The texts of channels overlap.
  return all.toSorted((a, b) => a.startMs - b.startMs);
}

/** Groups neighboring segments that may share a cue. */
function runsOfOneSpeaker(segments: readonly Segment[]): Segment[][] {
  const runs: Segment[][] = [];
  for (const segment of segments) {
    if (segment.text.trim() === '') continue;
    const last = runs.at(-1)?.at(-1);
    const isBridged = last !== undefined && segment.startMs - last.endMs <= LONGEST_BRIDGED_PAUSE_MS;
    if (isBridged && last.speaker === segment.speaker) runs.at(-1)?.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

/** The atom indexes at which cues end, including the last; minimizes the total cost. */
async function cheapestCuts(atoms: readonly Atom[], limits: CueLimits): Promise<number[]> {
  const { maxCharacters, maxMs } = limits;
  const { starts, ends, gaps, widths, cutCosts } = await measuresOf(atoms);
  const cost = new Float64Array(atoms.length + 1).fill(Infinity);
  const previous = new Int32Array(atoms.length + 1);
  cost[0] = 0;
  for (let from = 0; from < atoms.length; from += 1) {
    if (from % PER_TURN === 0) await yieldToEventLoop();
    const before = cost[from]!;
    let width = 0;
    for (let last = from; last < atoms.length; last += 1) {
      width += last === from ? widths[last]! : gaps[last]! + widths[last]!;
      const lengthMs = ends[last]! - starts[from]!;
      const isTooLarge = width > maxCharacters || lengthMs > maxMs;
      // A single word is never cut.
      if (isTooLarge && last > from) break;
      const total = before + cueCost(lengthMs, width, maxCharacters) + cutCosts[last]!;
      if (total < cost[last + 1]!) {
        cost[last + 1] = total;
        previous[last + 1] = from;
      }
    }
  }
  const cuts: number[] = [];
  for (let at = atoms.length; at > 0; at = previous[at] ?? 0) cuts.push(at);
  return cuts.toReversed();
}

/**
 * Measures the parts of the cost of cues once for each atom: an atom can be in forty cues, and each
 * of them costs a few additions then. `gaps` is the width of the space before an atom.
 */
async function measuresOf(atoms: readonly Atom[]) {
  const [starts, ends, gaps] = [newMeasure(atoms), newMeasure(atoms), newMeasure(atoms)];
  const [widths, cutCosts] = [newMeasure(atoms), newMeasure(atoms)];
  for (let index = 0; index < atoms.length; index += 1) {
    if (index % PER_TURN === 0) await yieldToEventLoop();
    const atom = atoms[index]!;
    starts[index] = atom.startMs;
    ends[index] = atom.endMs;
    gaps[index] = atom.opensSegment ? 0.5 : 0;
    widths[index] = widthOf(atom.text);
    cutCosts[index] = cutCost(atom, atoms[index + 1]);
  }
  return { starts, ends, gaps, widths, cutCosts };
}

const newMeasure = ({ length }: readonly Atom[]) => new Float64Array(length);

/** Every cue has a cost, so there are few; short ones cost more. */
function cueCost(lengthMs: number, width: number, maxCharacters: number): number {
  const shortness = Math.max(0, MIN_CUE_MS - lengthMs) / MIN_CUE_MS;
  const emptiness = Math.max(0, 1 - width / maxCharacters);
  return 1 + 6 * shortness + emptiness * emptiness;
}

/**
 * The cost of cutting between two atoms: low after a sentence or long pause, high within a phrase.
 */
function cutCost(before: Atom, after: Atom | undefined): number {
  if (after === undefined || SENTENCE_END.test(before.text)) return 0;
  const pauseMs = after.startMs - before.endMs;
  if (after.opensSegment) return pauseMs > 300 ? 0 : 0.3;
  if (CLAUSE_END.test(before.text)) return 0.2;
  return pauseMs >= 250 ? 0.8 : 4 - pauseMs / 100;
}

function toCue(atoms: readonly Atom[], speaker: string | null): Segment {
  const write = createPlainWriter();
  let text = '';
  let piece = '';
  for (const atom of atoms) {
    if (atom.opensSegment && piece !== '') {
      text += write({ text: piece });
      piece = '';
    }
    piece += atom.text;
  }
  text += write({ text: piece });
  const words = atoms.flatMap((atom) => atom.words);
  const startMs = atoms[0]?.startMs ?? 0;
  return {
    text: text.trim(),
    startMs,
    endMs: Math.max(startMs, atoms.at(-1)?.endMs ?? startMs),
    words,
    speaker,
    confidence: words.length > 0 ? meanConfidence(words) : (atoms[0]?.confidence ?? null),
  };
}

function extend(cue: Segment, next: Segment | undefined): Segment {
  const wantedMs = Math.max(cue.endMs, cue.startMs + MIN_CUE_MS);
  return { ...cue, endMs: Math.max(cue.endMs, Math.min(wantedMs, next?.startMs ?? cue.endMs)) };
}
