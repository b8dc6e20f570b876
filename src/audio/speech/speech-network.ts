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
/** … and those which two neighbours, or the only one, must reach. Few people are told in vain that they did not speak. */
const LIKELY_LOG_ODDS = -1;

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

/** Whether somebody speaks, by the log odds of the windows that were judged and their places. */
export function isSpeechByOdds(odds: ReadonlyMap<number, number>): boolean {
  for (const [index, one] of odds) {
    if (one >= SURE_LOG_ODDS) return true;
    if (one >= LIKELY_LOG_ODDS && (odds.size === 1 || (odds.get(index + 1) ?? -Infinity) >= LIKELY_LOG_ODDS))
      return true;
  }
  return false;
}

function shippedNetwork(): SpeechNetwork {
  shipped ??= JSON.parse(readFileSync(new URL('./speech-network.json', import.meta.url), 'utf8')) as SpeechNetwork;
  return shipped;
}
