import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { joinWords } from '@jyutsing/text/join-words';
import { meanConfidence } from './mean-confidence.ts';

/**
 * The part of a segment spoken by one speaker. The first part begins with the segment, others with
 * their first word; the last one ends with the segment.
 */
export type SpeakerPart = { fromMs: number; untilMs: number; firstWord: number; lastWord: number; speaker: string };

/**
 * Assigns a speaker ("0", "1", … as in the turns) to every segment, and cuts segments where the
 * speaker changes between two words. Order, times, words and confidences stay; the texts of the
 * parts make up the whole text. A recording with text but without turns has one speaker.
 */
export function assignSpeakers(segments: readonly Segment[], turns: readonly SpeakerTurn[]): Segment[] {
  return cutBySpeaker(segments, speakerParts(segments, turns));
}

/**
 * The parts of each segment, at least one. They depend on times only, so they also fit lists
 * parallel to these segments (corrected texts, syllables). A word belongs to the speaker of most of
 * it, or to the nearest turn outside of all turns; a single word between two of another speaker is
 * assigned to that speaker, because turns are not more precise. A segment without words belongs to
 * one speaker.
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

/**
 * Cuts segments into the parts found by `speakerParts` for them, or for segments of the same times
 * with other texts.
 */
export function cutBySpeaker(segments: readonly Segment[], parts: readonly (readonly SpeakerPart[])[]): Segment[] {
  return segments.flatMap((segment, index) => cutSegment(segment, parts[index] ?? []));
}

type Span = { startMs: number; endMs: number };

/** The speaker of a span; if several share it evenly, the previous one. */
function createSpeakerFinder(turns: readonly SpeakerTurn[]): (span: Span, before: string | null) => string {
  const inOrder = turns.toSorted((a, b) => a.startMs - b.startMs);
  /** The latest end of this and all earlier turns: overlapping turns end in any order. */
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
    const maxMs = Math.max(...shares.values());
    const best = [...shares].filter(([, sharedMs]) => sharedMs === maxMs).map(([speaker]) => String(speaker));
    if (best.length > 0) return before !== null && best.includes(before) ? before : best[0]!;
    return String(nearestTurn(inOrder, reachMs, startMs, endMs)?.speaker ?? 0);
  };
}

/** The turn with the smallest gap to the span; of two, the earlier. */
function nearestTurn(inOrder: readonly SpeakerTurn[], reachMs: readonly number[], startMs: number, endMs: number) {
  const after = firstAbove(reachMs, startMs);
  const next = inOrder[after];
  if (after === 0) return next;
  // The turn that ended last, among those before the span.
  const endedMs = reachMs[after - 1]!;
  const last = inOrder.slice(0, after).findLast((turn) => turn.endMs === endedMs);
  if (next === undefined || last === undefined) return last ?? next;
  return startMs - endedMs <= next.startMs - endMs ? last : next;
}

/** The index of the first value above a limit, in values that never decrease. */
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
    // Uses smoothed values from then on, so alternating single words do not all swap.
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
    // Words of an engine may overlap; segments must not.
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
    const segmentWords = words[index]!;
    return {
      ...segment,
      text: texts[index]!,
      startMs: fromMs,
      endMs: untilMs,
      words: segmentWords,
      speaker,
      confidence: meanConfidence(segmentWords) ?? segment.confidence,
    };
  });
}

/** By index if the segment has the words that the parts were found with, otherwise by time. */
function wordsOf({ words }: Segment, part: SpeakerPart, next: SpeakerPart | null, parts: readonly SpeakerPart[]) {
  if (words.length === (parts.at(-1)?.lastWord ?? 0) + 1) return words.slice(part.firstWord, part.lastWord + 1);
  const fromMs = part.firstWord === 0 ? -Infinity : part.fromMs;
  return words.filter(({ startMs }) => startMs >= fromMs && startMs < (next?.fromMs ?? Infinity));
}

/** Marks between two words belong to the first, except opening ones. */
const OPENING = /(?<![\s\p{Ps}\p{Pi}])[\s\p{Ps}\p{Pi}]*$/u;
const HAS_SOUND = /[\p{L}\p{N}]/u;

/**
 * Cuts the text before the first word of each part; joins the words if they cannot be found in it.
 */
function textsOf({ text }: Segment, parts: readonly SpeakerPart[], words: readonly (readonly Word[])[]): string[] {
  if (words.every((partWords) => partWords.length === 0)) {
    // The text cannot be divided: it stays whole with the longest part.
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
      if (at < 0 || HAS_SOUND.test(between))
        return words.map((partWords) => joinWords(partWords.map((one) => one.text)));
      if (index > 0 && place === 0) cuts.push(at - (OPENING.exec(between)?.[0].length ?? 0));
      reached = at + word.text.length;
    }
    if (own.length === 0 && index > 0) cuts.push(reached);
  }
  return cuts.map((cut, index) => text.slice(cut, cuts[index + 1]).trim());
}
