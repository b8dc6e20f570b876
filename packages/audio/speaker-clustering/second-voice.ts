import { dot } from './clustering.ts';
import type { VoiceWindow } from './frames.ts';
import type { VoiceStatistics } from './vbx.ts';
import { logLikelihood, sumVoice } from './voice-sum.ts';

const MAX_ROUNDS = 20;

/**
 * Computes how much more likely two people speak in these windows than one: the natural logarithm
 * of the ratio of likelihoods. The windows are split in two by spherical 2-means; people are drawn
 * from a normal distribution with the variances `between`, and the windows of one person vary by 1
 * (two-covariance model: Brümmer and de Villiers 2010). −Infinity when there is nothing to split.
 */
export function evidenceOfSecondVoice(windows: readonly VoiceWindow[], statistics: VoiceStatistics): number {
  const groups = splitInTwo(windows);
  if (groups === null) return -Infinity;
  const [first, second, all] = [...groups, windows].map((group) => logLikelihood(sumVoice(group), statistics));
  return first! + second! - all!;
}

/**
 * Splits windows in two, beginning with the two that differ most; null when all end in one group.
 */
function splitInTwo(windows: readonly VoiceWindow[]): [VoiceWindow[], VoiceWindow[]] | null {
  let centres = farthestPair(windows);
  if (centres === null) return null;
  let groups: [VoiceWindow[], VoiceWindow[]] = [[], []];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [a, b] = centres;
    const isNearA = ({ voice }: VoiceWindow) => dot(voice, a) >= dot(voice, b);
    const next: typeof groups = [windows.filter(isNearA), windows.filter((window) => !isNearA(window))];
    if (next[0].length === 0 || next[1].length === 0) return null;
    if (round > 0 && next[0].length === groups[0].length && next[0].every((window, i) => window === groups[0][i]))
      break;
    groups = next;
    centres = [centreOf(groups[0]), centreOf(groups[1])];
  }
  return groups;
}

function farthestPair(windows: readonly VoiceWindow[]): [Float32Array, Float32Array] | null {
  let farthest: [Float32Array, Float32Array] | null = null;
  let lowest = Infinity;
  for (const [index, { voice }] of windows.entries()) {
    for (const other of windows.slice(index + 1)) {
      const likeness = dot(voice, other.voice);
      if (likeness >= lowest) continue;
      lowest = likeness;
      farthest = [voice, other.voice];
    }
  }
  return farthest;
}

function centreOf(windows: readonly VoiceWindow[]): Float32Array {
  const { sum } = sumVoice(windows);
  const length = Math.hypot(...sum) || 1;
  return Float32Array.from(sum, (value) => value / length);
}
