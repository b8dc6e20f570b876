import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import type { VoiceStatistics } from './vbx.ts';

/** A window of this length is one observation; longer and shorter ones count in proportion. */
const OBSERVATION_FRAMES = 1_500 / SPEAKER_FRAME_MS;
/** Weight of an observation, because neighbouring windows share audio (as in `AssignmentRules`). */
const EVIDENCE = 0.6;
const MAX_ROUNDS = 20;

/**
 * How much more likely two people speak in these windows than one: the natural logarithm of the
 * ratio of likelihoods. The windows are split in two by spherical 2-means; people are drawn from a
 * normal distribution with the variances `between`, and the windows of one vary by 1
 * (two-covariance model: Brümmer and de Villiers 2010). −Infinity when there is nothing to split.
 */
export function evidenceOfSecondVoice(windows: readonly VoiceWindow[], { between }: VoiceStatistics): number {
  const groups = splitInTwo(windows);
  if (groups === null) return -Infinity;
  const [first, second] = groups.map((group) => logLikelihood(group, between)) as [number, number];
  return first + second - logLikelihood(windows, between);
}

/** Begins with the two windows that differ most. Null when all windows are in one group. */
function splitInTwo(windows: readonly VoiceWindow[]): [VoiceWindow[], VoiceWindow[]] | null {
  let centres = farthestPair(windows);
  if (centres === null) return null;
  let groups: [VoiceWindow[], VoiceWindow[]] = [[], []];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [a, b] = centres;
    const isNearA = ({ voice }: VoiceWindow) => cosine(voice, a) >= cosine(voice, b);
    const next: typeof groups = [windows.filter(isNearA), windows.filter((window) => !isNearA(window))];
    if (next[0].length === 0 || next[1].length === 0) return null;
    if (round > 0 && next[0].length === groups[0].length && next[0].every((each, i) => each === groups[0][i])) break;
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
      const likeness = cosine(voice, other.voice);
      if (likeness >= lowest) continue;
      lowest = likeness;
      farthest = [voice, other.voice];
    }
  }
  return farthest;
}

function centreOf(windows: readonly VoiceWindow[]): Float32Array {
  const sum = sumOf(windows);
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

/** The sum of the voices, weighted by the lengths of their windows. */
function sumOf(windows: readonly VoiceWindow[]): Float32Array {
  const sum = new Float32Array(windows[0]?.voice.length ?? 0);
  for (const { voice, ...span } of windows) {
    for (let i = 0; i < sum.length; i += 1) sum[i]! += observationsIn(span) * voice[i]!;
  }
  return sum;
}

/** Of the windows as those of one person; without the terms that every grouping has. */
function logLikelihood(windows: readonly VoiceWindow[], between: readonly number[]): number {
  const count = windows.reduce((total, window) => total + observationsIn(window), 0);
  const sum = sumOf(windows);
  // Unit vectors are far shorter than the model's, whose dimensions vary by 1.
  const scale = Math.sqrt(between.length);
  return between.reduce((total, variance, i) => {
    const scaled = sum[i]! * scale;
    const spread = 1 + count * variance;
    return total - 0.5 * Math.log(spread) + (0.5 * scaled * scaled * variance) / spread;
  }, 0);
}

function observationsIn({ fromFrame, toFrame }: Omit<VoiceWindow, 'voice'>): number {
  return (EVIDENCE * (toFrame - fromFrame)) / OBSERVATION_FRAMES;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let i = 0; i < a.length; i += 1) product += a[i]! * b[i]!;
  return product;
}
