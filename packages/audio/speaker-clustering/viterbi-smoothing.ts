import { SPEAKER_FRAME_MS, type ActivityTrack, type VoiceWindow } from './frames.ts';
import { dot } from './clustering.ts';

export type SmoothingOptions = {
  speechFrom: number;
  /**
   * Weight of one second of one voice: the factor of the cosine between the audio and a speaker.
   */
  certainty: number;
  /** Cost of a change of speaker within speech … */
  changeCost: number;
  /** … and after a pause, where it is likelier. */
  changeCostAfterPause: number;
  pauseMs: number;
};

/** Marks a frame without a speaker. */
export const NO_SPEAKER = 255;

/**
 * Finds the speaker of each frame (an index of `speakers`, or NO_SPEAKER): the most probable path
 * of a hidden Markov model whose states are the speakers (Viterbi 1967), over the frames with
 * speech.
 */
export function smoothSpeakers(
  track: ActivityTrack,
  windows: readonly VoiceWindow[],
  speakers: readonly Float32Array[],
  rules: SmoothingOptions,
): Uint8Array {
  const path = new Uint8Array(track.length()).fill(NO_SPEAKER);
  const steps: number[] = [];
  for (let frame = 0; frame < path.length; frame += 1) if (track.speechAt(frame) >= rules.speechFrom) steps.push(frame);
  if (speakers.length <= 1) {
    // Too little audio to identify the voice: assign the first speaker.
    for (const frame of steps) path[frame] = 0;
    return path;
  }
  const count = speakers.length;
  const evidence = createEvidence(windows, speakers);
  const from = new Uint8Array(steps.length * count);
  let scores = new Float64Array(count);
  const pauseFrames = rules.pauseMs / SPEAKER_FRAME_MS;
  const factor = (rules.certainty * SPEAKER_FRAME_MS) / 1_000;
  for (const [step, frame] of steps.entries()) {
    const isAfterPause = step > 0 && frame - steps[step - 1]! > pauseFrames;
    const cost = isAfterPause ? rules.changeCostAfterPause : rules.changeCost;
    const best = indexOfMost(scores);
    const logLikelihoods = evidence(frame);
    const next = new Float64Array(count);
    for (let speaker = 0; speaker < count; speaker += 1) {
      const isChange = scores[best]! - cost > scores[speaker]!;
      from[step * count + speaker] = isChange ? best : speaker;
      next[speaker] = (isChange ? scores[best]! - cost : scores[speaker]!) + factor * (logLikelihoods?.[speaker] ?? 0);
    }
    scores = next;
  }
  let speaker = indexOfMost(scores);
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    path[steps[step]!] = speaker;
    speaker = from[step * count + speaker]!;
  }
  return path;
}

/**
 * Scores each speaker at a frame: cosines of the surrounding windows, nearer ones weighted more;
 * null without windows. Call it for frames in order.
 */
function createEvidence(
  windows: readonly VoiceWindow[],
  speakers: readonly Float32Array[],
): (frame: number) => Float64Array | null {
  const cosines = windows.map(({ voice }) => speakers.map((speaker) => dot(voice, speaker)));
  let first = 0;
  return (frame) => {
    while (first < windows.length && windows[first]!.toFrame <= frame) first += 1;
    const sums = new Float64Array(speakers.length);
    let total = 0;
    for (let index = first; index < windows.length; index += 1) {
      const { fromFrame, toFrame } = windows[index]!;
      if (fromFrame > frame) break;
      if (toFrame <= frame) continue;
      const weight = 1.05 - Math.abs((2 * (frame - fromFrame + 0.5)) / (toFrame - fromFrame) - 1);
      total += weight;
      for (let speaker = 0; speaker < sums.length; speaker += 1) sums[speaker]! += weight * cosines[index]![speaker]!;
    }
    return total === 0 ? null : sums.map((sum) => sum / total);
  };
}

export function indexOfMost(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1) if (values[index]! > values[best]!) best = index;
  return best;
}
