import { readFileSync } from 'node:fs';

/**
 * A network of one hidden layer over the features of a window. `means` and `deviations` bring the features to one scale; `hidden` has
 * a row for each hidden unit, its bias last; `output` one weight for each of them, its bias last.
 */
export type SpeechNetwork = { means: number[]; deviations: number[]; hidden: number[][]; output: number[] };

/** Fitted and written by `training/pronunciation/speech-check/fit.ts`. */
let shipped: SpeechNetwork | null = null;

/** Features this many deviations away are no further away: what is stranger than all examples must not decide alone. */
const MAX_DEVIATIONS = 4;
/** Log odds of speech from which one window is enough, … */
export const SURE_LOG_ODDS = 3;
/** … and those which two neighbours, or the only one, must reach where there is much to judge. Few people are told in vain that they did not speak. */
const LIKELY_LOG_ODDS = -2;
/** From so little sound not even a clear syllable can be told for certain, while what is no speech still stands out. */
const SHORT_LOG_ODDS = -5;
const SHORT_MS = 160;
const LONG_MS = 600;

/** A window that was judged: its place, how much of it is not silent, and the log odds that somebody speaks in it. */
export type JudgedWindow = { index: number; activeMs: number; logOdds: number };

/** Natural logarithm of the odds that somebody speaks in a window of these features. */
export function logOddsOf(features: readonly number[], network: SpeechNetwork = shippedNetwork()): number {
  const { means, deviations, hidden, output } = network;
  const scaled = features.map((value, i) =>
    Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, (value - means[i]!) / deviations[i]!)),
  );
  let sum = output[hidden.length]!;
  for (const [unit, weights] of hidden.entries()) {
    let drive = weights[scaled.length]!;
    for (let i = 0; i < scaled.length; i += 1) drive += weights[i]! * scaled[i]!;
    sum += output[unit]! * Math.tanh(drive);
  }
  return sum;
}

/** Whether somebody speaks, by the windows that were judged. */
export function isSpeechByOdds(windows: readonly JudgedWindow[]): boolean {
  const likely = new Set(windows.filter(isLikely).map(({ index }) => index));
  return windows.some(
    ({ index, logOdds }) =>
      logOdds >= SURE_LOG_ODDS || (likely.has(index) && (windows.length === 1 || likely.has(index + 1))),
  );
}

function isLikely({ activeMs, logOdds }: JudgedWindow): boolean {
  const share = Math.min(1, Math.max(0, (activeMs - SHORT_MS) / (LONG_MS - SHORT_MS)));
  return logOdds >= SHORT_LOG_ODDS + share * (LIKELY_LOG_ODDS - SHORT_LOG_ODDS);
}

function shippedNetwork(): SpeechNetwork {
  shipped ??= JSON.parse(readFileSync(new URL('./speech-network.json', import.meta.url), 'utf8')) as SpeechNetwork;
  return shipped;
}
