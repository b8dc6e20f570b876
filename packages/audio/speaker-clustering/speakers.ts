import { MAX_SPEAKERS, type SpeakerRange } from '@jyutsing/contracts/diarizer';
import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import { averageLinkage, joinInto, linkGroups, unit, type Group } from './clustering.ts';
import { assignVoices, type AssignmentRules, type VoiceStatistics } from './vbx.ts';
import { indexOfMost } from './viterbi-smoothing.ts';

export type SpeakerOptions = {
  /**
   * Windows are grouped at first while the mean cosine between groups is above one of these: more
   * groups than speakers.
   */
  groupFrom: readonly number[];
  /** The only one in recordings of hours, where each takes minutes. */
  longGroupFrom: number;
  assignment: AssignmentRules;
  /**
   * In a recording of more windows each counts less, or hours would have a speaker for each tone of
   * a voice.
   */
  fullEvidenceWindows: number;
  /** A speaker with less speech than this in total is merged into the others … */
  minSpeechMs: number;
  /** … unless it is at least this share of all speech, as in recordings of half a minute … */
  enoughShare: number;
  /** … as is one below this share: long recordings produce more spurious speakers. */
  minShare: number;
};

/** More windows than this, about an hour of speech, are grouped once. */
const LONG_WINDOWS = 5_000;
/** Step of the cosine that makes finer groups, when there are fewer than the wanted speakers. */
const FINER = 0.1;
/** How the weight of a window falls with the number of windows: at 1 their sum would not grow. */
const LENGTH_EXPONENT = 0.75;
/** Groups that are compared with each other; the others are a few windows each. */
const MAX_GROUPS = 200;

/**
 * Finds the speakers of a recording and their mean voices (unit vectors); none without windows.
 * Average linkage groups windows too finely, then a hidden Markov model merges groups of one
 * speaker; speakers with little speech are merged into the others. Where that gives a number
 * outside `range`, the most similar speakers are joined, or the first groups into as many as are
 * missing.
 */
export function findSpeakers(
  windows: readonly VoiceWindow[],
  statistics: VoiceStatistics,
  rules: SpeakerOptions,
  range: SpeakerRange = { min: 1, max: MAX_SPEAKERS },
): Float32Array[] {
  if (windows.length === 0) return [];
  const frames = windows.map(({ fromFrame, toFrame }) => toFrame - fromFrame);
  const voices = windows.map(({ voice }) => voice);
  // Unit vectors are far shorter than the model's, whose dimensions vary by 1.
  const scale = Math.sqrt(statistics.between.length);
  const scaled = voices.map((voice) => voice.map((value) => value * scale));
  const longest = Math.max(...frames);
  const weights = frames.map((count) => count / longest);
  const { assignment, fullEvidenceWindows } = rules;
  const falloff = Math.min(1, fullEvidenceWindows / windows.length) ** LENGTH_EXPONENT;
  const assignmentRules = { ...assignment, evidence: assignment.evidence * falloff };
  // The model finds the nearest optimum: the best of several beginnings is better than one.
  const groupFrom = windows.length > LONG_WINDOWS ? [rules.longGroupFrom] : rules.groupFrom;
  const { shares, speakers } = groupings(voices, frames, groupFrom)
    .map((groups) => firstSpeakers(groups, windows.length))
    .map((first) => assignVoices(scaled, weights, first, statistics, assignmentRules))
    .reduce((best, each) => (each.bound > best.bound ? each : best));
  const assigned = windows.map((_, window) => indexOfMost(shares.subarray(window * speakers, (window + 1) * speakers)));
  const speechMs = Array.from({ length: speakers }, (_, speaker) =>
    speechOf(windows.filter((_, window) => assigned[window] === speaker)),
  );
  const allMs = speechMs.reduce((sum, value) => sum + value, 0);
  const neededMs = Math.max(Math.min(rules.minSpeechMs, rules.enoughShare * allMs), rules.minShare * allMs);
  const minMs = Math.min(neededMs, Math.max(...speechMs));
  const kept = [...speechMs.keys()].filter((speaker) => speechMs[speaker]! >= minMs);
  const found = kept.map((speaker) =>
    meanOf(
      voices,
      frames.map((count, window) => shares[window * speakers + speaker]! * count),
    ),
  );
  if (found.length > range.max) return joinInto(found, range.max).map(({ mean }) => unit(mean));
  if (found.length < range.min) return regroup(voices, frames, range.min, Math.min(...groupFrom));
  return found.map(({ mean }) => unit(mean));
}

/** Groups of the windows for each of the cosines, finest first. */
function groupings(voices: readonly Float32Array[], frames: readonly number[], minCosines: readonly number[]) {
  const [finest = 1, ...others] = minCosines.toSorted((a, b) => b - a);
  const found = [averageLinkage(voices, frames, finest)];
  for (const minCosine of others) found.push(linkGroups(found.at(-1)!, minCosine));
  return found;
}

/** A speaker for each window: its group; windows of the smallest groups go to the largest. */
function firstSpeakers(groups: readonly Group[], windows: number): number[] {
  const largest = groups.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_SPEAKERS);
  const first = Array<number>(windows).fill(0);
  for (const [number, { members }] of largest.entries()) for (const member of members) first[member] = number;
  return first;
}

function meanOf(voices: readonly Float32Array[], weights: readonly number[]): Group {
  const mean = new Float32Array(voices[0]!.length);
  const weight = weights.reduce((sum, value) => sum + value, 0);
  for (const [window, voice] of voices.entries()) {
    for (let i = 0; i < mean.length; i += 1) mean[i]! += (weights[window]! / weight) * voice[i]!;
  }
  return { weight, mean, members: [] };
}

/** Groups the windows into `count` voices, fewer only where there are fewer windows. */
function regroup(
  voices: readonly Float32Array[],
  frames: readonly number[],
  count: number,
  groupFrom: number,
): Float32Array[] {
  let minCosine = groupFrom;
  let groups = averageLinkage(voices, frames, minCosine);
  while (groups.length < count && minCosine < 1) {
    minCosine += FINER;
    groups = averageLinkage(voices, frames, minCosine);
  }
  const largest = groups.toSorted((a, b) => b.weight - a.weight).slice(0, Math.max(count, MAX_GROUPS));
  return joinInto(largest, count).map(({ mean }) => unit(mean));
}

/** Total time of ordered windows; those of one run overlap. */
function speechOf(windows: readonly VoiceWindow[]): number {
  let frames = 0;
  let reached = 0;
  for (const { fromFrame, toFrame } of windows) {
    frames += Math.max(0, toFrame - Math.max(fromFrame, reached));
    reached = Math.max(reached, toFrame);
  }
  return frames * SPEAKER_FRAME_MS;
}
