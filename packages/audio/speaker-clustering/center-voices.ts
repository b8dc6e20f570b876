import { dot, linkGroups, unit, type Group } from './clustering.ts';
import type { VoiceWindow } from './frames.ts';

/**
 * Takes a share (0..1) of the recording's mean voice from each window, and scales the voices to
 * length 1 again. A room and a microphone move all voices alike, so that people in a meeting seem
 * more similar than the statistics expect. With a share of 1, one person would have nothing in
 * common with himself.
 */
export function centerVoices(windows: readonly VoiceWindow[], share: number): VoiceWindow[] {
  const { mean } = meanOf(windows);
  return windows.map((window) => {
    return { ...window, voice: unit(window.voice.map((value, i) => value - share * mean[i]!)) };
  });
}

/** Averages the voices of windows, weighted by their frames. */
function meanOf(windows: readonly VoiceWindow[]): { weight: number; mean: Float32Array } {
  const mean = new Float32Array(windows[0]?.voice.length ?? 0);
  const frames = windows.reduce((sum, { fromFrame, toFrame }) => sum + toFrame - fromFrame, 0);
  for (const { voice, fromFrame, toFrame } of windows) {
    const weight = (toFrame - fromFrame) / Math.max(1, frames);
    for (let i = 0; i < mean.length; i += 1) mean[i]! += weight * voice[i]!;
  }
  return { weight: frames, mean };
}

/**
 * Joins speakers of centered windows whose voices as they sound are similar: the mean voices in
 * `windows`, which are not centered, have a cosine of `sameFrom` or more. What is left of one
 * person in a recording may look like two. Returns the centered voices, or `voices` as they are
 * where fewer than `least` would be left.
 */
export function joinAlike(
  windows: readonly VoiceWindow[],
  centered: readonly VoiceWindow[],
  voices: readonly Float32Array[],
  { sameFrom, least }: { sameFrom: number; least: number },
): Float32Array[] {
  const speakers = centered.map(({ voice }) => nearestVoice(voices, voice));
  const groups = voices.flatMap((_, speaker): Group[] => {
    const { weight, mean } = meanOf(windows.filter((_window, index) => speakers[index] === speaker));
    return weight === 0 ? [] : [{ weight, mean: unit(mean), members: [speaker] }];
  });
  const joined = linkGroups(groups, sameFrom);
  if (joined.length < Math.max(1, least)) return [...voices];
  return joined.map(({ members }) =>
    unit(meanOf(centered.filter((_window, index) => members.includes(speakers[index]!))).mean),
  );
}

function nearestVoice(voices: readonly Float32Array[], voice: Float32Array): number {
  const cosines = voices.map((other) => dot(other, voice));
  return cosines.indexOf(Math.max(...cosines));
}
