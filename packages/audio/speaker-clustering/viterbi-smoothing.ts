import { SPEAKER_FRAME_MS, type ActivityTrack, type VoiceWindow } from './frames.ts';
import { dot } from './clustering.ts';

export type SmoothingOptions = {
  speechFrom: number;
  /** How much a second of one voice says: the factor of the cosine between what is heard and a speaker. */
  certainty: number;
  /** What it costs to go over to another speaker in the middle of speech … */
  changeCost: number;
  /** … and after a pause, where that is likelier. */
  changeCostAfterPause: number;
  pauseMs: number;
};

/** Nobody talks. */
export const NO_SPEAKER = 255;

/**
 * Who talks at each step of the recording (an index of `speakers`, or NO_SPEAKER): the likeliest path of a hidden Markov model whose states
 * are the speakers (Viterbi 1967), over the steps with speech.
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
    // Too little of a voice to know it by is still somebody's.
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
    const heard = evidence(frame);
    const next = new Float64Array(count);
    for (let speaker = 0; speaker < count; speaker += 1) {
      const isChange = scores[best]! - cost > scores[speaker]!;
      from[step * count + speaker] = isChange ? best : speaker;
      next[speaker] = (isChange ? scores[best]! - cost : scores[speaker]!) + factor * (heard?.[speaker] ?? 0);
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
 * How near each speaker is at a frame: the cosines of the windows around it, those whose middle is nearer counting more; null where there
 * is none. Frames are asked for in order.
 */
export function createEvidence(
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

function indexOfMost(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1) if (values[index]! > values[best]!) best = index;
  return best;
}
