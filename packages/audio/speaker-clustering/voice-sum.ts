import { SPEAKER_FRAME_MS, type VoiceWindow } from './frames.ts';
import type { VoiceStatistics } from './vbx.ts';

/** A window of this length is one observation; longer and shorter ones count in proportion. */
const OBSERVATION_FRAMES = 1_500 / SPEAKER_FRAME_MS;
/** Weight of an observation, because neighbouring windows share audio. */
const EVIDENCE = 0.6;

/** Voice of one person over several windows: their number and weighted sum. */
export type VoiceSum = { observations: number; sum: readonly number[] };

export function sumVoice(windows: readonly VoiceWindow[]): VoiceSum {
  const sum = Array.from(windows[0]?.voice ?? [], () => 0);
  let observations = 0;
  for (const { voice, fromFrame, toFrame } of windows) {
    const weight = (EVIDENCE * (toFrame - fromFrame)) / OBSERVATION_FRAMES;
    observations += weight;
    for (let i = 0; i < sum.length; i += 1) sum[i]! += weight * voice[i]!;
  }
  return { observations, sum };
}

/**
 * Computes the log likelihood of the windows if one person speaks, without the terms common to all
 * groupings. People are drawn from a normal distribution with the variances `between`, and the
 * windows of one person vary by 1.
 */
export function logLikelihood({ observations, sum }: VoiceSum, { between }: VoiceStatistics): number {
  // Unit vectors are far shorter than the model expects: its dimensions vary by 1.
  const scale = Math.sqrt(between.length);
  return between.reduce((total, variance, i) => {
    const scaled = (sum[i] ?? 0) * scale;
    const spread = 1 + observations * variance;
    return total - 0.5 * Math.log(spread) + (0.5 * scaled * scaled * variance) / spread;
  }, 0);
}

/**
 * Computes how much more likely two voices are those of one person than of two: the natural
 * logarithm of the ratio of likelihoods.
 */
export function evidenceOfSameVoice(first: VoiceSum, second: VoiceSum, statistics: VoiceStatistics): number {
  const joined = {
    observations: first.observations + second.observations,
    sum: first.sum.map((value, i) => value + (second.sum[i] ?? 0)),
  };
  return logLikelihood(joined, statistics) - logLikelihood(first, statistics) - logLikelihood(second, statistics);
}
