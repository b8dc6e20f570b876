import { MAX_SPEAKERS, type SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { NO_SPEAKER } from './viterbi-smoothing.ts';
import { SPEAKER_FRAME_MS, type ActivityTrack } from './frames.ts';

export type TurnOptions = {
  overlapFrom: number;
  /** Shortest overlap that counts, in milliseconds. */
  minOverlapMs: number;
  /** The second speaker of an overlap must have speech within this time before or after it. */
  neighborMs: number;
  /** Overlap proves a second speaker where only one is found, if it lasts this long in total … */
  minHiddenMs: number;
  /** … and is at least this share of the speech. */
  minHiddenShare: number;
  /** Longest pause within a turn, in milliseconds. */
  bridgedMs: number;
  minTurnMs: number;
};

const framesOf = (durationMs: number) => Math.round(durationMs / SPEAKER_FRAME_MS);

/**
 * Builds the turns of a recording from the speaker of each frame. In an overlap the second speaker
 * is the nearest other one in time: most overlaps are one speaker beginning before another ends.
 * Where only one speaker is found and `maxSpeakers` allows two, enough overlap makes a second one,
 * who then speaks only in the overlaps: listeners who interrupt in a word or two are never alone in
 * a window. Speakers are numbered from 0 by first appearance, without gaps.
 */
export function makeTurns(
  path: Uint8Array,
  track: ActivityTrack,
  durationMs: number,
  rules: TurnOptions,
  maxSpeakers: number = MAX_SPEAKERS,
): SpeakerTurn[] {
  const spans = bySpeaker(path);
  const shared = overlaps(path, track, rules);
  const hidden = maxSpeakers > 1 ? hiddenSpeaker(path, shared, rules) : null;
  for (const { fromFrame, toFrame } of shared) {
    if (hidden !== null) spans.push({ speaker: hidden, fromFrame, toFrame });
    const second = secondSpeaker(path, fromFrame, toFrame, framesOf(rules.neighborMs));
    for (const { speaker, from, to } of second) spans.push({ speaker, fromFrame: from, toFrame: to });
  }
  const speakers = new Set(spans.map(({ speaker }) => speaker));
  const turns = [...speakers].flatMap((speaker) =>
    tidied(
      spans.filter((span) => span.speaker === speaker),
      rules,
    ),
  );
  return numbered(turns, durationMs);
}

/**
 * Returns a number for a second speaker who only occurs in overlaps; null when several speakers are
 * known or there is too little overlap.
 */
function hiddenSpeaker(
  path: Uint8Array,
  shared: readonly { fromFrame: number; toFrame: number }[],
  { minHiddenMs, minHiddenShare }: TurnOptions,
): number | null {
  const spoken = path.filter((speaker) => speaker !== NO_SPEAKER);
  const only = spoken[0];
  if (only === undefined || spoken.some((speaker) => speaker !== only)) return null;
  const frames = shared.reduce((sum, { fromFrame, toFrame }) => sum + toFrame - fromFrame, 0);
  return frames >= Math.max(framesOf(minHiddenMs), minHiddenShare * spoken.length) ? only + 1 : null;
}

type Span = { speaker: number; fromFrame: number; toFrame: number };

function bySpeaker(path: Uint8Array): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < path.length;) {
    let to = from;
    while (to < path.length && path[to] === path[from]) to += 1;
    if (path[from] !== NO_SPEAKER) spans.push({ speaker: path[from]!, fromFrame: from, toFrame: to });
    from = to;
  }
  return spans;
}

function overlaps(
  path: Uint8Array,
  track: ActivityTrack,
  rules: TurnOptions,
): { fromFrame: number; toFrame: number }[] {
  const runs: { fromFrame: number; toFrame: number }[] = [];
  for (let frame = 0; frame < path.length; frame += 1) {
    if (path[frame] === NO_SPEAKER || track.overlapAt(frame) < rules.overlapFrom) continue;
    const open = runs.at(-1);
    if (open !== undefined && frame - open.toFrame <= 2) open.toFrame = frame + 1;
    else runs.push({ fromFrame: frame, toFrame: frame + 1 });
  }
  return runs.filter(({ fromFrame, toFrame }) => toFrame - fromFrame >= framesOf(rules.minOverlapMs));
}

/** Finds the second speaker of an overlap, piece by piece, since the first may change within it. */
function secondSpeaker(path: Uint8Array, fromFrame: number, toFrame: number, reach: number) {
  const pieces: { speaker: number; from: number; to: number }[] = [];
  for (let from = fromFrame; from < toFrame;) {
    const first = path[from]!;
    let to = from;
    while (to < toFrame && path[to] === first) to += 1;
    const speaker = first === NO_SPEAKER ? null : nearestOther(path, from, to, first, reach);
    if (speaker !== null) pieces.push({ speaker, from, to });
    from = to;
  }
  return pieces;
}

function nearestOther(path: Uint8Array, from: number, to: number, first: number, reach: number): number | null {
  for (let distance = 1; distance <= reach; distance += 1) {
    const [before, after] = [path[from - distance], path[to - 1 + distance]];
    if (before !== undefined && before !== NO_SPEAKER && before !== first) return before;
    if (after !== undefined && after !== NO_SPEAKER && after !== first) return after;
  }
  return null;
}

/**
 * Returns the segments of one speaker in order, with short gaps bridged and very short segments
 * dropped.
 */
function tidied(spans: readonly Span[], rules: TurnOptions): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.fromFrame - b.fromFrame)) {
    const open = joined.at(-1);
    if (open !== undefined && span.fromFrame - open.toFrame <= framesOf(rules.bridgedMs)) {
      open.toFrame = Math.max(open.toFrame, span.toFrame);
    } else joined.push({ ...span });
  }
  return joined.filter(({ fromFrame, toFrame }) => toFrame - fromFrame >= framesOf(rules.minTurnMs));
}

function numbered(spans: readonly Span[], durationMs: number): SpeakerTurn[] {
  const numbers = new Map<number, number>();
  const turns: SpeakerTurn[] = [];
  for (const { speaker, fromFrame, toFrame } of spans.toSorted((a, b) => a.fromFrame - b.fromFrame)) {
    // A frame covers the time around its center.
    const startMs = Math.max(0, (fromFrame - 0.5) * SPEAKER_FRAME_MS);
    const endMs = Math.min(durationMs, (toFrame - 0.5) * SPEAKER_FRAME_MS);
    if (endMs <= startMs) continue;
    if (!numbers.has(speaker)) numbers.set(speaker, numbers.size);
    turns.push({ startMs, endMs, speaker: numbers.get(speaker)! });
  }
  return turns;
}
