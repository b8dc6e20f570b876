import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { segmentWords } from '@jyutsing/text/segment-words';
import { createPlainWriter } from './format.ts';
import { meanConfidence } from './mean-confidence.ts';

/** Minimum duration of a cue if the next one leaves time: shorter ones cannot be read. */
export const MIN_CUE_MS = 1_000;
/** Longest pause within a cue; otherwise its text would appear long before it is spoken. */
const LONGEST_BRIDGED_PAUSE_MS = 1_500;

/** An indivisible unit: a word with its punctuation. */
type Atom = {
  text: string;
  words: Word[];
  startMs: number;
  endMs: number;
  /** First of a recognized segment: a pause precedes it. */
  opensSegment: boolean;
  confidence: number | null;
};

const SENTENCE_END = /[。！？!?…]["'」』）)]*$|\.["'）)]*$/u;
const CLAUSE_END = /[，；：、,;:]["'」』）)]*$/u;

/**
 * Cuts a text into subtitles: at ends of sentences and clauses and at pauses, never inside a word;
 * within the limits unless a single word exceeds them, and at least a second long if a neighbor
 * can take shorter ones. Speakers are not mixed. Times are those of the words; a short cue is
 * extended to the next one, up to a second. Cues are in order and do not overlap. Minimizes a
 * total cost by dynamic programming (as Knuth and Plass break paragraphs, 1981).
 */
export function cutCues(segments: readonly Segment[], limits: CueLimits): Segment[] {
  const cues: Segment[] = [];
  for (const run of runsOfOneSpeaker(segments)) {
    const atoms = run.flatMap(atomsOf);
    let from = 0;
    for (const until of cheapestCuts(atoms, limits)) {
      cues.push(toCue(atoms.slice(from, until), run[0]?.speaker ?? null));
      from = until;
    }
  }
  return cues.map((cue, index) => extend(cue, cues[index + 1]));
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

/** Positions of the words in the text; skips words that the text does not contain. */
function placedWords(segment: Segment): { word: Word; from: number; to: number }[] {
  let at = 0;
  return segment.words.flatMap((word) => {
    const from = segment.text.indexOf(word.text, at);
    if (from < 0 || word.text === '') return [];
    at = from + word.text.length;
    return [{ word, from, to: at }];
  });
}

/** The ends of the words of a text by a word segmenter. */
function wordEnds(text: string): Set<number> {
  const ends = new Set<number>();
  for (const { index, segment } of segmentWords(text)) ends.add(index + segment.length);
  return ends;
}

/** For recognizers that time only segments: divides the time among the words. */
function wordsByShare({ text, startMs, endMs, confidence }: Segment): Word[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmentWords(text)) if (isWordLike === true) words.push(segment);
  const total = words.reduce((sum, word) => sum + widthOf(word), 0);
  let passed = 0;
  const timeAt = (width: number) => startMs + Math.round(((endMs - startMs) * width) / total);
  return words.map((word) => {
    const fromMs = timeAt(passed);
    passed += widthOf(word);
    return { text: word, reading: null, startMs: fromMs, endMs: timeAt(passed), confidence };
  });
}

function atomsOf(segment: Segment): Atom[] {
  const isTimed = segment.words.length > 0;
  const placed = placedWords(isTimed ? segment : { ...segment, words: wordsByShare(segment) });
  const [first] = placed;
  if (first === undefined) return [wholeSegment(segment)];
  const ends = wordEnds(segment.text);
  const atoms: Atom[] = [];
  let from = 0;
  let words: Word[] = [];
  for (const [index, { word, to }] of placed.entries()) {
    words.push(word);
    const next = placed[index + 1];
    const isLast = next === undefined;
    if (!isLast && !endsBetween(ends, to, next.from)) continue;
    const until = isLast ? segment.text.length : to + hangingLength(segment.text.slice(to, next.from));
    const text = segment.text.slice(from, until);
    const lastWord = words.at(-1) ?? word;
    const startMs = atoms.length === 0 ? segment.startMs : (words[0] ?? word).startMs;
    const endMs = isLast ? segment.endMs : lastWord.endMs;
    atoms.push({
      text,
      words: isTimed ? words : [],
      startMs,
      endMs: Math.max(startMs, endMs),
      opensSegment: atoms.length === 0,
      confidence: isTimed ? meanConfidence(words) : segment.confidence,
    });
    from = until;
    words = [];
  }
  return atoms;
}

function wholeSegment({ text, words, startMs, endMs, confidence }: Segment): Atom {
  return { text, words, startMs, endMs: Math.max(startMs, endMs), opensSegment: true, confidence };
}

function endsBetween(ends: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at <= to; at += 1) if (ends.has(at)) return true;
  return false;
}

/** The length of the closing marks after a word, without spaces and marks that open the next. */
function hangingLength(between: string): number {
  return /^[^\s「『（《“‘([{<]*/u.exec(between)?.[0].length ?? 0;
}

/** The atom indexes at which cues end, including the last; minimizes the total cost. */
function cheapestCuts(atoms: readonly Atom[], limits: CueLimits): number[] {
  const cost = new Float64Array(atoms.length + 1).fill(Infinity);
  const previous = new Int32Array(atoms.length + 1);
  cost[0] = 0;
  for (let from = 0; from < atoms.length; from += 1) {
    let width = 0;
    for (let until = from + 1; until <= atoms.length; until += 1) {
      const first = atoms[from];
      const last = atoms[until - 1];
      if (first === undefined || last === undefined) break;
      width += widthOf(last.text) + (until > from + 1 && last.opensSegment ? 0.5 : 0);
      const lengthMs = last.endMs - first.startMs;
      const isTooLarge = width > limits.maxCharacters || lengthMs > limits.maxMs;
      // A single word is never cut.
      if (isTooLarge && until > from + 1) break;
      const total = (cost[from] ?? 0) + cueCost(lengthMs, width, limits) + cutCost(last, atoms[until]);
      if (total < (cost[until] ?? Infinity)) {
        cost[until] = total;
        previous[until] = from;
      }
    }
  }
  const cuts: number[] = [];
  for (let at = atoms.length; at > 0; at = previous[at] ?? 0) cuts.push(at);
  return cuts.toReversed();
}

/** Every cue has a cost, so there are few; short ones cost more. */
function cueCost(lengthMs: number, width: number, { maxCharacters }: CueLimits): number {
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

/** Width in Chinese characters; a letter, digit or space counts half. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /[\u2E80-\uFFEF\u{20000}-\u{3FFFF}]/u.test(character) ? 1 : 0.5;
  return width;
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
