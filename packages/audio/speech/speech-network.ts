import { readFileSync } from 'node:fs';

/**
 * A network of one hidden layer over the features of a window. `means` and `deviations` normalize
 * the features; `hidden` has a row for each hidden unit, `output` one weight for each, both with
 * the bias last.
 */
export type SpeechNetwork = { means: number[]; deviations: number[]; hidden: number[][]; output: number[] };

/** Fitted and written by `training/pronunciation/speech-check/fit.ts`. */
let shipped: SpeechNetwork | null = null;

/** Clip features to this many deviations: one beyond all examples must not decide alone. */
const MAX_DEVIATIONS = 4;
/** Computes the natural logarithm of the odds of speech in a window with these features. */
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

function shippedNetwork(): SpeechNetwork {
  shipped ??= JSON.parse(readFileSync(new URL('./speech-network.json', import.meta.url), 'utf8')) as SpeechNetwork;
  return shipped;
}
