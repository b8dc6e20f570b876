import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { segmentWords } from '@jyutsing/text/segment-words';
import { createPlainWriter } from './format.ts';
import { meanConfidence } from './mean-confidence.ts';

/** A cue is on the screen at least so long, where the next one leaves room: nobody reads faster. */
export const MIN_CUE_MS = 1_000;
/** Silence that no cue bridges: the text would stand there long before it is said. */
const LONGEST_BRIDGED_PAUSE_MS = 1_500;

/** What cannot be parted: a word with the marks that hang on it, and how it is joined to the text before. */
type Atom = {
  text: string;
  words: Word[];
  startMs: number;
  endMs: number;
  /** First of a recognised segment: there was a pause before it. */
  opensSegment: boolean;
  confidence: number | null;
};

const SENTENCE_END = /[。！？!?…]["'」』）)]*$|\.["'）)]*$/u;
const CLAUSE_END = /[，；：、,;:]["'」』）)]*$/u;

/**
 * The same text in pieces of the size of a subtitle: cut at the ends of sentences and clauses and at pauses, never inside a word;
 * not longer than the limits unless one word alone is, and not shorter than a second where a neighbour can take it. Speakers are not
 * mixed. Times are those of the words; a short cue stays until the next one, a second at most. Cues are in order and do not overlap.
 * The cuts are the cheapest of all (dynamic programming over the words, as Knuth and Plass break paragraphs, 1981).
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
  return cues.map((cue, index) => lasting(cue, cues[index + 1]));
}

/** Neighbouring segments that may share a cue. */
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

/** Where each word of a segment stands in its text; words that it does not hold are passed over. */
function placedWords(segment: Segment): { word: Word; from: number; to: number }[] {
  let at = 0;
  return segment.words.flatMap((word) => {
    const from = segment.text.indexOf(word.text, at);
    if (from < 0 || word.text === '') return [];
    at = from + word.text.length;
    return [{ word, from, to: at }];
  });
}

/** The ends of the words of a text, as a reader would part it. */
function wordEnds(text: string): Set<number> {
  const ends = new Set<number>();
  for (const { index, segment } of segmentWords(text)) ends.add(index + segment.length);
  return ends;
}

/** For a recogniser that times only segments: each word of the text with its share of the time. */
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
  if (first === undefined) return [wholeOf(segment)];
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

function wholeOf({ text, words, startMs, endMs, confidence }: Segment): Atom {
  return { text, words, startMs, endMs: Math.max(startMs, endMs), opensSegment: true, confidence };
}

function endsBetween(ends: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at <= to; at += 1) if (ends.has(at)) return true;
  return false;
}

/** How much of what stands between two words belongs to the first: closing marks, not the space nor what opens the next. */
function hangingLength(between: string): number {
  return /^[^\s「『（《“‘([{<]*/u.exec(between)?.[0].length ?? 0;
}

/** The numbers of atoms before which a cue ends, the last one included; best in the sum of what is bad about each cue. */
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
      // A single word is never parted, however long it is.
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

/** Each cue costs something, so that they are not many; short ones cost more. */
function cueCost(lengthMs: number, width: number, { maxCharacters }: CueLimits): number {
  const shortness = Math.max(0, MIN_CUE_MS - lengthMs) / MIN_CUE_MS;
  const emptiness = Math.max(0, 1 - width / maxCharacters);
  return 1 + 6 * shortness + emptiness * emptiness;
}

/** How bad it is to cut between two atoms: little after a sentence or a long pause, much in the middle of a phrase. */
function cutCost(before: Atom, after: Atom | undefined): number {
  if (after === undefined || SENTENCE_END.test(before.text)) return 0;
  const pauseMs = after.startMs - before.endMs;
  if (after.opensSegment) return pauseMs > 300 ? 0 : 0.3;
  if (CLAUSE_END.test(before.text)) return 0.2;
  return pauseMs >= 250 ? 0.8 : 4 - pauseMs / 100;
}

/** In Chinese characters; a letter, digit or space is half of one. */
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

function lasting(cue: Segment, next: Segment | undefined): Segment {
  const wantedMs = Math.max(cue.endMs, cue.startMs + MIN_CUE_MS);
  return { ...cue, endMs: Math.max(cue.endMs, Math.min(wantedMs, next?.startMs ?? cue.endMs)) };
}
