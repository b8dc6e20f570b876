import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { joinWords } from '@jyutsing/text/join-words';
import { meanConfidence } from './mean-confidence.ts';

/**
 * A part of a segment that one speaker says. `fromMs` is where its first word begins (the segment itself for a first part); parts of a
 * segment follow one another, the last one reaches to the segment's end.
 */
export type SpeakerPart = { fromMs: number; untilMs: number; firstWord: number; lastWord: number; speaker: string };

/**
 * Gives every segment its speaker ("0", "1", … as the turns number them), and cuts segments where the speaker changes between two
 * words. Order, times, words and confidences stay; the texts of the parts are the text of the whole, cut. A recording with text but
 * without any turn has one speaker.
 */
export function assignSpeakers(segments: readonly Segment[], turns: readonly SpeakerTurn[]): Segment[] {
  return cutBySpeaker(segments, speakerParts(segments, turns));
}

/**
 * Who says what: for each segment its parts, at least one. It depends on times alone, so the same parts fit every list that stands one
 * for one beside these segments (corrected texts, what was heard in each).
 *
 * A word belongs to the speaker who talks through most of it, and to the nearest turn when nobody does; one word between two of another
 * speaker is taken for theirs, for turns are no truer than that. A segment without words belongs to one speaker.
 */
export function speakerParts(segments: readonly Segment[], turns: readonly SpeakerTurn[]): SpeakerPart[][] {
  const finder = createSpeakerFinder(turns);
  return segments.map((segment) => {
    if (segment.words.length === 0) return [wholePart(segment, finder(segment, null))];
    const speakers: string[] = [];
    for (const word of segment.words) speakers.push(finder(word, speakers.at(-1) ?? null));
    return partsOf(segment, withoutStrays(speakers));
  });
}

/** The segments cut into parts that `speakerParts` found for them, or for segments of the same times with other texts. */
export function cutBySpeaker(segments: readonly Segment[], parts: readonly (readonly SpeakerPart[])[]): Segment[] {
  return segments.flatMap((segment, index) => cutSegment(segment, parts[index] ?? []));
}

type Span = { startMs: number; endMs: number };

/** The speaker of a span; of speakers who share it evenly, the one who talked before. */
function createSpeakerFinder(turns: readonly SpeakerTurn[]): (span: Span, before: string | null) => string {
  const inOrder = turns.toSorted((a, b) => a.startMs - b.startMs);
  /** The latest end of this turn and all before it: turns that overlap end in any order. */
  const reachMs: number[] = [];
  for (const turn of inOrder) reachMs.push(Math.max(reachMs.at(-1) ?? -Infinity, turn.endMs));
  return ({ startMs, endMs }, before) => {
    const shares = new Map<number, number>();
    const first = firstAbove(reachMs, startMs);
    for (let index = first; index < inOrder.length; index += 1) {
      const turn = inOrder[index]!;
      if (turn.startMs >= endMs) break;
      const sharedMs = Math.min(turn.endMs, endMs) - Math.max(turn.startMs, startMs);
      if (sharedMs > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + sharedMs);
    }
    const most = Math.max(...shares.values());
    const best = [...shares].filter(([, sharedMs]) => sharedMs === most).map(([speaker]) => String(speaker));
    if (best.length > 0) return before !== null && best.includes(before) ? before : best[0]!;
    return String(nearestTurn(inOrder, reachMs, startMs, endMs)?.speaker ?? 0);
  };
}

/** The turn with the smallest gap to the span; of two, the earlier. */
function nearestTurn(inOrder: readonly SpeakerTurn[], reachMs: readonly number[], startMs: number, endMs: number) {
  const after = firstAbove(reachMs, startMs);
  const next = inOrder[after];
  if (after === 0) return next;
  // Of the turns that are over, the one that ended last made the reach.
  const endedMs = reachMs[after - 1]!;
  const last = inOrder.slice(0, after).findLast((turn) => turn.endMs === endedMs);
  if (next === undefined || last === undefined) return last ?? next;
  return startMs - endedMs <= next.startMs - endMs ? last : next;
}

/** The index of the first value above a limit, in values that never fall. */
function firstAbove(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function withoutStrays(speakers: readonly string[]): string[] {
  const smooth = [...speakers];
  for (let index = 1; index < smooth.length - 1; index += 1) {
    // What was smoothed counts from then on, so that words in turns of one each do not all change places.
    if (smooth[index - 1] === smooth[index + 1]) smooth[index] = smooth[index - 1]!;
  }
  return smooth;
}

function wholePart({ startMs, endMs, words }: Segment, speaker: string): SpeakerPart {
  return { fromMs: startMs, untilMs: endMs, firstWord: 0, lastWord: words.length - 1, speaker };
}

function partsOf(segment: Segment, speakers: readonly string[]): SpeakerPart[] {
  const parts: SpeakerPart[] = [];
  for (const [index, speaker] of speakers.entries()) {
    const open = parts.at(-1);
    if (open?.speaker === speaker) {
      open.lastWord = index;
      open.untilMs = segment.words[index]!.endMs;
      continue;
    }
    const { startMs, endMs } = segment.words[index]!;
    // An engine may let neighbouring words overlap; segments may not.
    if (open !== undefined) open.untilMs = Math.max(open.fromMs, Math.min(open.untilMs, startMs));
    const fromMs = open === undefined ? segment.startMs : Math.max(startMs, open.untilMs);
    parts.push({ fromMs, untilMs: Math.max(fromMs, endMs), firstWord: index, lastWord: index, speaker });
  }
  const last = parts.at(-1);
  if (last !== undefined) last.untilMs = Math.max(last.fromMs, segment.endMs);
  return parts;
}

function cutSegment(segment: Segment, parts: readonly SpeakerPart[]): Segment[] {
  const [only] = parts;
  if (only === undefined) return [segment];
  if (parts.length === 1) return [{ ...segment, speaker: only.speaker }];
  const words = parts.map((part, index) => wordsOf(segment, part, parts[index + 1] ?? null, parts));
  const texts = textsOf(segment, parts, words);
  return parts.map(({ fromMs, untilMs, speaker }, index) => {
    const own = words[index]!;
    return {
      text: texts[index]!,
      startMs: fromMs,
      endMs: untilMs,
      words: own,
      speaker,
      confidence: meanConfidence(own) ?? segment.confidence,
    };
  });
}

/** By their numbers where the segment has the words that the parts were found with, otherwise by where they begin. */
function wordsOf({ words }: Segment, part: SpeakerPart, next: SpeakerPart | null, parts: readonly SpeakerPart[]) {
  if (words.length === (parts.at(-1)?.lastWord ?? 0) + 1) return words.slice(part.firstWord, part.lastWord + 1);
  const fromMs = part.firstWord === 0 ? -Infinity : part.fromMs;
  return words.filter(({ startMs }) => startMs >= fromMs && startMs < (next?.fromMs ?? Infinity));
}

/** Marks between two words belong to the first of them, but for those that open something. */
const OPENING = /[\s\p{Ps}\p{Pi}]*$/u;
const HAS_SOUND = /[\p{L}\p{N}]/u;

/** The segment's own text cut before the first word of each part; where its words cannot be found in it, the words joined. */
function textsOf({ text }: Segment, parts: readonly SpeakerPart[], words: readonly (readonly Word[])[]): string[] {
  if (words.every((own) => own.length === 0)) {
    // Nothing says which part of the text is whose: it stays whole, with whom most of it is.
    const lengths = parts.map((part) => part.untilMs - part.fromMs);
    const longest = lengths.indexOf(Math.max(...lengths));
    return parts.map((_, index) => (index === longest ? text : ''));
  }
  const cuts = [0];
  let reached = 0;
  for (const [index, own] of words.entries()) {
    for (const [place, word] of own.entries()) {
      const at = text.indexOf(word.text, reached);
      const between = text.slice(reached, at);
      if (at < 0 || HAS_SOUND.test(between)) return words.map((each) => joinWords(each.map((one) => one.text)));
      if (index > 0 && place === 0) cuts.push(at - (OPENING.exec(between)?.[0].length ?? 0));
      reached = at + word.text.length;
    }
    if (own.length === 0 && index > 0) cuts.push(reached);
  }
  return cuts.map((cut, index) => text.slice(cut, cuts[index + 1]).trim());
}
