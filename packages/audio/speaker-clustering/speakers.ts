import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import { averageLinkage, unit } from './clustering.ts';
import { assignVoices, type AssignmentRules, type VoiceStatistics } from './vbx.ts';

export type SpeakerOptions = {
  /**
   * Windows are grouped at first while the mean cosine between groups is above this: more groups
   * than speakers.
   */
  groupFrom: number;
  assignment: AssignmentRules;
  /** A speaker with less speech than this in total is merged into the others … */
  minSpeechMs: number;
  /** … as is one below this share of all speech: long recordings produce more spurious speakers. */
  minShare: number;
};

/** Upper limit of speakers: a frame stores its speaker in one byte. */
const MAX_SPEAKERS = 60;

/**
 * Finds the speakers of a recording and their mean voices (unit vectors); none without windows.
 * Average linkage groups windows too finely, then a hidden Markov model merges groups of one
 * speaker; speakers with little speech are merged into the others.
 */
export function findSpeakers(
  windows: readonly VoiceWindow[],
  statistics: VoiceStatistics,
  rules: SpeakerOptions,
): Float32Array[] {
  if (windows.length === 0) return [];
  const frames = windows.map(({ fromFrame, toFrame }) => toFrame - fromFrame);
  const voices = windows.map(({ voice }) => voice);
  const groups = averageLinkage(voices, frames, rules.groupFrom)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_SPEAKERS);
  const first = windows.map(() => 0);
  for (const [number, { members }] of groups.entries()) for (const member of members) first[member] = number;

  // Unit vectors are far shorter than the model's, whose dimensions vary by 1.
  const scale = Math.sqrt(statistics.between.length);
  const longest = Math.max(...frames);
  const { shares, speakers } = assignVoices(
    voices.map((voice) => voice.map((value) => value * scale)),
    frames.map((count) => count / longest),
    first,
    statistics,
    rules.assignment,
  );
  const assigned = windows.map((_, window) => most(shares.subarray(window * speakers, (window + 1) * speakers)));
  const speechMs = Array.from({ length: speakers }, (_, speaker) =>
    speechOf(windows.filter((_, window) => assigned[window] === speaker)),
  );
  const allMs = speechMs.reduce((sum, value) => sum + value, 0);
  const minMs = Math.min(Math.max(rules.minSpeechMs, rules.minShare * allMs), Math.max(...speechMs));
  const kept = [...speechMs.keys()].filter((speaker) => speechMs[speaker]! >= minMs);
  return kept.map((speaker) => {
    const sum = new Float32Array(voices[0]!.length);
    for (const [window, voice] of voices.entries()) {
      const weight = shares[window * speakers + speaker]! * frames[window]!;
      for (let i = 0; i < sum.length; i += 1) sum[i]! += weight * voice[i]!;
    }
    return unit(sum);
  });
}

function most(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1) if (values[index]! > values[best]!) best = index;
  return best;
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
