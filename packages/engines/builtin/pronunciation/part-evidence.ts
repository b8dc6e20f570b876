import { addLogs } from './add-logs.ts';
import type { SegmentEvidence } from './segment-evidence.ts';
import type { Reading, SyllableSound, SyllableSounds } from './syllable-sounds.ts';

/**
 * Evidence for one part of a syllable against its alternatives. Onset, rime and tone have the
 * numbers of `SyllableSound`.
 */
export type PartEvidence = {
  /**
   * Log-odds of the expected part and its variants against all alternatives; positive where it was
   * recognized.
   */
  oddsLogp: number;
  /** The most probable alternative; the expected part itself when there is none. */
  rival: number;
  /**
   * The most probable variant, and its lead over the expected part in nats; null when there is
   * none.
   */
  variant: { number: number; aheadLogp: number } | null;
};

/**
 * Log-prior of a syllable that the language lacks: slips and learners produce such syllables too.
 */
const NO_SYLLABLE_LOGP = -3;

/**
 * Measures the evidence for the onset, given the expected rime: alternatives are the onsets that
 * combine with it.
 */
export function onsetEvidence(
  { rows, columns, logp }: SegmentEvidence,
  reading: Reading,
  sounds: SyllableSounds,
): PartEvidence {
  return weigh(
    rows,
    (onset) => logp[onset * columns + reading.rime]!,
    (onset) => sounds.exists(onset, reading.rime),
    reading.onset,
    reading.onsetVariants,
  );
}

/** Measures the evidence for the rime, given the expected onset or a variant of it. */
export function rimeEvidence(
  { columns, logp }: SegmentEvidence,
  reading: Reading,
  sounds: SyllableSounds,
): PartEvidence {
  const onsets = [reading.onset, ...reading.onsetVariants];
  return weigh(
    columns,
    (rime) => onsets.reduce((sum, onset) => addLogs(sum, logp[onset * columns + rime]!), -Infinity),
    (rime) => onsets.some((onset) => sounds.exists(onset, rime)),
    reading.rime,
    reading.rimeVariants,
  );
}

/** Measures the evidence for the tone, from the log-probabilities of all tones. */
export function toneEvidence(logp: readonly number[], tone: number): PartEvidence {
  return weigh(
    logp.length + 1,
    (number) => logp[number - 1]!,
    (number) => number > 0,
    tone,
    [],
  );
}

/** Log-odds of a part without any rival. */
const MAX_ODDS_LOGP = 40;

function weigh(
  count: number,
  logpOf: (number: number) => number,
  isRival: (number: number) => boolean,
  expected: number,
  variants: readonly number[],
): PartEvidence {
  const expectedLogp = logpOf(expected);
  let accepted = expectedLogp;
  let variant: PartEvidence['variant'] = null;
  for (const number of variants) {
    const logp = logpOf(number);
    accepted = addLogs(accepted, logp);
    if (variant === null || logp - expectedLogp > variant.aheadLogp)
      variant = { number, aheadLogp: logp - expectedLogp };
  }
  let othersLogp = -Infinity;
  let rival = expected;
  let rivalLogp = -Infinity;
  for (let number = 0; number < count; number++) {
    if (number === expected || variants.includes(number) || !isRival(number)) continue;
    const logp = logpOf(number);
    othersLogp = addLogs(othersLogp, logp);
    if (logp > rivalLogp) [rivalLogp, rival] = [logp, number];
  }
  return { oddsLogp: Math.min(MAX_ODDS_LOGP, accepted - othersLogp), rival, variant };
}

/**
 * Computes the log-posterior of onset and rime of a reading, with their variants, among all
 * syllables of the language: 0 where no other syllable is possible.
 */
export function segmentFit(
  { rows, columns, logp }: SegmentEvidence,
  sounds: SyllableSounds,
): (reading: Pick<Reading, 'onset' | 'rime' | 'onsetVariants' | 'rimeVariants'>) => number {
  let all = -Infinity;
  for (let onset = 0, at = 0; onset < rows; onset++) {
    for (let rime = 0; rime < columns; rime++, at++) if (sounds.exists(onset, rime)) all = addLogs(all, logp[at]!);
  }
  return ({ onset, onsetVariants, rime, rimeVariants }) => {
    let readingLogp = -Infinity;
    for (const o of [onset, ...onsetVariants]) {
      for (const r of [rime, ...rimeVariants]) readingLogp = addLogs(readingLogp, logp[o * columns + r]!);
    }
    return readingLogp - addLogs(all, readingLogp);
  };
}

/** Finds the most probable syllable, independent of the expected one; its tone counts from 1. */
export function likeliestSyllable(
  { rows, columns, logp }: SegmentEvidence,
  toneLogp: readonly number[],
  sounds: SyllableSounds,
): SyllableSound {
  let best = { onset: 0, rime: 0, logp: -Infinity };
  for (let onset = 0, at = 0; onset < rows; onset++) {
    for (let rime = 0; rime < columns; rime++, at++) {
      const total = logp[at]! + (sounds.exists(onset, rime) ? 0 : NO_SYLLABLE_LOGP);
      if (total > best.logp) best = { onset, rime, logp: total };
    }
  }
  const tone = toneLogp.reduce((top, value, index) => (value > toneLogp[top]! ? index : top), 0) + 1;
  return { onset: best.onset, rime: best.rime, tone };
}
