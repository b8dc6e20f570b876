import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import { averageLinkage, dot, unit } from './linkage.ts';

export type SpeakerRules = {
  /** Windows are grouped while the mean cosine between groups is above this. */
  groupFrom: number;
  /** Two groups of which the mean voices have a cosine above this are one speaker. */
  sameFrom: number;
  /** Who talks less than this in all is taken for one of the others … */
  leastSpeechMs: number;
  /** … and who talks less than this share of what the most talkative one does. */
  leastShare: number;
};

/** How often voices are measured again with the windows that were assigned to them. */
const REFINEMENTS = 3;

/**
 * The mean voices (length 1) of the speakers of a recording; how many there are is found out. None without windows. First windows are
 * grouped by average linkage, then groups of the same mean voice are joined, and small groups fall to the others.
 */
export function findSpeakers(windows: readonly VoiceWindow[], rules: SpeakerRules): Float32Array[] {
  if (windows.length === 0) return [];
  const weights = windows.map(({ fromFrame, toFrame }) => toFrame - fromFrame);
  const groups = averageLinkage(
    windows.map(({ voice }) => voice),
    weights,
    rules.groupFrom,
  );
  const speechMs = (members: readonly number[]) => speechOf(windows, members);
  const largest = Math.max(...groups.map(({ members }) => speechMs(members)));
  const leastMs = Math.min(largest, Math.max(rules.leastSpeechMs, rules.leastShare * largest));
  const kept = groups.filter(({ members }) => speechMs(members) >= leastMs);
  let voices = joinAlike(
    kept.map(({ mean, weight }) => ({ mean, weight })),
    rules.sameFrom,
  );
  for (let pass = 0; pass < REFINEMENTS; pass += 1) {
    const sums = voices.map(({ mean }) => ({ mean: new Float32Array(mean.length), weight: 0 }));
    for (const [index, { voice }] of windows.entries()) {
      const sum = sums[nearest(voice, voices)]!;
      for (let i = 0; i < voice.length; i += 1) sum.mean[i]! += voice[i]! * weights[index]!;
      sum.weight += weights[index]!;
    }
    voices = joinAlike(
      sums.filter(({ weight }) => weight * SPEAKER_FRAME_MS >= leastMs).map(({ mean, weight }) => ({ mean, weight })),
      rules.sameFrom,
    );
  }
  return voices.map(({ mean }) => mean);
}

type Voice = { mean: Float32Array; weight: number };

/** The two most alike are joined until none are alike enough. Means are brought to length 1. */
function joinAlike(voices: readonly Voice[], sameFrom: number): Voice[] {
  const left = voices.map(({ mean, weight }) => ({ mean: unit(mean), weight }));
  for (;;) {
    let best = { cosine: -Infinity, one: 0, other: 0 };
    for (let one = 0; one < left.length; one += 1) {
      for (let other = one + 1; other < left.length; other += 1) {
        const cosine = dot(left[one]!.mean, left[other]!.mean);
        if (cosine > best.cosine) best = { cosine, one, other };
      }
    }
    if (best.cosine < sameFrom) return left;
    const [one, other] = [left[best.one]!, left[best.other]!];
    const mean = unit(one.mean.map((value, i) => value * one.weight + other.mean[i]! * other.weight));
    left[best.one] = { mean, weight: one.weight + other.weight };
    left.splice(best.other, 1);
  }
}

function nearest(voice: Float32Array, voices: readonly Voice[]): number {
  let best = 0;
  let bestCosine = -Infinity;
  for (const [index, { mean }] of voices.entries()) {
    const cosine = dot(voice, mean);
    if (cosine > bestCosine) {
      best = index;
      bestCosine = cosine;
    }
  }
  return best;
}

/** Time that the windows cover; those of one run overlap. */
function speechOf(windows: readonly VoiceWindow[], members: readonly number[]): number {
  let frames = 0;
  let reached = 0;
  for (const { fromFrame, toFrame } of members.toSorted((a, b) => a - b).map((index) => windows[index]!)) {
    frames += Math.max(0, toFrame - Math.max(fromFrame, reached));
    reached = Math.max(reached, toFrame);
  }
  return frames * SPEAKER_FRAME_MS;
}
