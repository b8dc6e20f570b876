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
/** Log odds of speech at which one window is enough, … */
export const SURE_LOG_ODDS = 3;
/**
 * … and the log odds which two neighbors, or the only window, must reach in longer recordings.
 * Chosen so that speech is rarely refused.
 */
const LIKELY_LOG_ODDS = -2;
/**
 * Threshold for very short audio: even a clear syllable is uncertain, while other sounds still
 * stand out.
 */
const SHORT_LOG_ODDS = -5;
const SHORT_MS = 160;
const LONG_MS = 600;

/** A scored window: its index, its non-silent time, and the log odds of speech. */
export type JudgedWindow = { index: number; activeMs: number; logOdds: number };

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

/** Decides about speech from the scored windows. */
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
