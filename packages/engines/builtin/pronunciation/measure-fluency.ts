import type { Language } from '@jyutsing/contracts/transcript';
import type { SpokenTiming } from './types.ts';

/** Longest gap between words, in milliseconds, that is not perceived as a pause. */
const FREE_PAUSE_MS = 150;
/** Longest pause after a punctuation mark that costs nothing, in milliseconds. */
const FREE_STOP_MS = 900;
const LONG_PAUSE_MS = 350;
/** Share of the fluency that repeating everything costs. */
const REPETITION_COST = 0.5;

/**
 * Syllables per second when read aloud, relative to English: F. Pellegrino, C. Coupé, E. Marsico,
 * "A cross-language perspective on speech information rate", Language 87 (2011): English 6.19,
 * Mandarin 5.18. Cantonese is assumed to equal Mandarin.
 */
const RELATIVE_RATE: Readonly<Record<Language, number>> = { english: 1, mandarin: 5.18 / 6.19, cantonese: 5.18 / 6.19 };

/**
 * Weights of `timingFeatures`: logistic regression on human fluency ratings of English learners, by
 * training/pronunciation/english/fit.ts.
 */
const WEIGHTS: readonly number[] = [0.7833, 1.093, -0.279, -0.2262, -0.5728];
const BIAS = -0.7699;

/**
 * Rates the fluency of a recording, 0–100: its rate with and without pauses, their length and
 * number (those after punctuation are free up to nearly a second), repetitions and insertions. A
 * single word has no pauses, so it loses nothing for them.
 */
export function measureFluency(timing: SpokenTiming, language: Language): number {
  if (timing.units.length === 0) return 0;
  let sum = BIAS;
  timingFeatures(timing, language).forEach((value, at) => (sum += (WEIGHTS[at] ?? 0) * value));
  return (100 * repetitionFactor(timing)) / (1 + Math.exp(-sum));
}

/**
 * Computes the factor of fluency for repetitions. It is chosen, not fitted, because hardly any
 * recorded learner repeats.
 */
export function repetitionFactor({ units, repetitions }: SpokenTiming): number {
  return 1 - REPETITION_COST * Math.min(repetitions / Math.max(units.length, 1), 1);
}

/**
 * Computes the features of fluency: natural logarithms of the syllables per second with and without
 * pauses, of the longest pause between units (1 + tenths of seconds), the share of long pauses, and
 * insertions per unit.
 */
export function timingFeatures({ units, insertions }: SpokenTiming, language: Language): number[] {
  const inOrder = units.toSorted((a, b) => a.startMs - b.startMs);
  const startMs = inOrder[0]?.startMs ?? 0;
  const endMs = Math.max(startMs, ...inOrder.map((unit) => unit.endMs));
  let stopsMs = 0;
  const pausesMs = inOrder.slice(1).map((unit, index) => {
    const gapMs = Math.max(0, unit.startMs - (inOrder[index]?.endMs ?? unit.startMs));
    const freeMs = unit.afterPause ? FREE_STOP_MS : FREE_PAUSE_MS;
    if (unit.afterPause) stopsMs += Math.min(gapMs, FREE_STOP_MS);
    return Math.max(0, gapMs - freeMs);
  });
  const pauseMs = total(pausesMs);
  const wholeMs = Math.max(endMs - startMs - stopsMs, pauseMs + MIN_UNIT_MS);
  const spanMs = wholeMs - Math.min(FINAL_LENGTHENING_MS, (wholeMs - pauseMs) / 3);
  const typicalMs = 1_000 / (TYPICAL_RATE * RELATIVE_RATE[language]);
  const syllables = total(inOrder.map((unit) => unit.syllables)) + GRANTED_SYLLABLES;
  const logRate = (ms: number): number =>
    bounded(
      Math.log((1_000 * syllables) / (ms + GRANTED_SYLLABLES * typicalMs) / RELATIVE_RATE[language]),
      MIN_RATE,
      MAX_RATE,
    );
  const places = Math.max(pausesMs.length, 1);
  return [
    logRate(spanMs),
    logRate(spanMs - pauseMs),
    Math.log1p(Math.max(0, ...pausesMs) / 100),
    pausesMs.filter((duration) => duration > LONG_PAUSE_MS - FREE_PAUSE_MS).length / places,
    Math.min(insertions / Math.max(inOrder.length, 1), 1),
  ];
}

const MIN_UNIT_MS = 90;
/** Lengthening of final syllables in milliseconds, most noticeable in single words. */
const FINAL_LENGTHENING_MS = 150;
/**
 * Syllables at a normal rate that are added as a prior, because a single word is little evidence of
 * the rate.
 */
const GRANTED_SYLLABLES = 2;
const TYPICAL_RATE = 4.5;
/** Limits of the logarithms of syllables per second; more than six are not more fluent. */
const MIN_RATE = 0;
const MAX_RATE = 1.8;

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const bounded = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
