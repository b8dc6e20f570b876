import { MAX_SPEAKERS, type SpeakerRange } from '@jyutsing/contracts/diarizer';
import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import { averageLinkage, joinInto, linkGroups, unit, type Group } from './clustering.ts';
import { assignVoices, type AssignmentRules, type VoiceStatistics } from './vbx.ts';
import { indexOfMost } from './viterbi-smoothing.ts';

export type SpeakerOptions = {
  /**
   * Cosines at which windows are first grouped, while the mean cosine between groups is higher:
   * each gives more groups than there are speakers.
   */
  groupFrom: readonly number[];
  /** The only such cosine for recordings of hours, where each takes minutes. */
  longGroupFrom: number;
  assignment: AssignmentRules;
  /**
   * Number of windows from which on each counts less; otherwise a recording of hours would have a
   * speaker for each tone of a voice.
   */
  fullEvidenceWindows: number;
  /** A speaker with less speech than this in total is merged into the others … */
  minSpeechMs: number;
  /** … unless it is at least this share of all speech, as in recordings of half a minute … */
  enoughShare: number;
  /**
   * A speaker below this share is merged all the same: long recordings produce more spurious
   * speakers.
   */
  minShare: number;
};

/** Above this number of windows, about an hour of speech, `longGroupFrom` is used. */
const LONG_WINDOWS = 5_000;
/** Step of the cosine by which groups become finer when fewer speakers than required were found. */
const FINER = 0.1;
/**
 * Exponent by which the weight of a window falls with the number of windows: at 1 their sum would
 * not grow.
 */
const LENGTH_EXPONENT = 0.75;
/**
 * Largest number of groups that are compared with each other; the others are a few windows each.
 */
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
  // Unit vectors are far shorter than the model expects: its dimensions vary by 1.
  const scale = Math.sqrt(statistics.between.length);
  const scaled = voices.map((voice) => voice.map((value) => value * scale));
  const longest = Math.max(...frames);
  const weights = frames.map((count) => count / longest);
  const { assignment, fullEvidenceWindows } = rules;
  const falloff = Math.min(1, fullEvidenceWindows / windows.length) ** LENGTH_EXPONENT;
  const assignmentRules = { ...assignment, evidence: assignment.evidence * falloff };
  // The model finds the nearest optimum, so the best of several beginnings is better than one.
  const groupFrom = windows.length > LONG_WINDOWS ? [rules.longGroupFrom] : rules.groupFrom;
  const { shares, speakers } = groupings(voices, frames, groupFrom)
    .map((groups) => firstSpeakers(groups, windows.length))
    .map((first) => assignVoices(scaled, weights, first, statistics, assignmentRules))
    .reduce((best, candidate) => (candidate.bound > best.bound ? candidate : best));
  const assigned = windows.map((_, window) => indexOfMost(shares.subarray(window * speakers, (window + 1) * speakers)));
  const speechMs = Array.from({ length: speakers }, (_, speaker) =>
    speechOf(windows.filter((_, window) => assigned[window] === speaker)),
  );
  const allMs = speechMs.reduce((sum, value) => sum + value, 0);
  const neededMs = Math.max(Math.min(rules.minSpeechMs, rules.enoughShare * allMs), rules.minShare * allMs);
  const minMs = Math.min(neededMs, Math.max(...speechMs));
  const lastingSpeakers = [...speechMs.keys()].filter((speaker) => speechMs[speaker]! >= minMs);
  const voiceGroups = lastingSpeakers.map((speaker) =>
    meanOf(
      voices,
      frames.map((count, window) => shares[window * speakers + speaker]! * count),
    ),
  );
  if (voiceGroups.length > range.max) return joinInto(voiceGroups, range.max).map(({ mean }) => unit(mean));
  if (voiceGroups.length < range.min) return regroup(voices, frames, range.min, Math.min(...groupFrom));
  return voiceGroups.map(({ mean }) => unit(mean));
}

/** Groups the windows at each of the cosines, finest first. */
function groupings(voices: readonly Float32Array[], frames: readonly number[], minCosines: readonly number[]) {
  const [finest = 1, ...coarser] = minCosines.toSorted((a, b) => b - a);
  const results = [averageLinkage(voices, frames, finest)];
  for (const minCosine of coarser) results.push(linkGroups(results.at(-1)!, minCosine));
  return results;
}

/**
 * Returns the first speaker of each window, its group; windows of the smallest groups go to the
 * largest.
 */
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

/** Sums the time of ordered windows; those of one run overlap. */
function speechOf(windows: readonly VoiceWindow[]): number {
  let frames = 0;
  let reached = 0;
  for (const { fromFrame, toFrame } of windows) {
    frames += Math.max(0, toFrame - Math.max(fromFrame, reached));
    reached = Math.max(reached, toFrame);
  }
  return frames * SPEAKER_FRAME_MS;
}
